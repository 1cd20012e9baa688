"""Other plans worth a look: what changes, what it needs, what you give up, one button. Pure.

Where the chosen plan does not fit these are the nearest that do. What would help but cannot be
chosen on this screen is told below in words and has no button.
"""

from tailor.ui.plan.elsewhere import Elsewhere
from tailor.ui.plan.ranking import Offer
from tailor.ui.text_compare import OfferText
from tailor.ui.views.cost_words import cost_words
from tailor.ui.views.html import NOTHING, Html, each, element
from tailor.ui.views.quantities import bytes_range_words, duration_range_words


def alternatives(offers: tuple[Offer, ...], elsewhere: Elsewhere, *, is_blocked: bool) -> Html:
    """The cards, and other ways out in words; `is_blocked` when the chosen plan cannot start."""
    told = _told(elsewhere)
    if not offers and not is_blocked and told is None:
        return NOTHING
    shown = element("ul", each(_offer(one) for one in offers), class_="plan-offers")
    return element(
        "section",
        element("h3", OfferText.NEAREST if is_blocked else OfferText.TITLE),
        shown if offers else element("p", OfferText.NONE_FIT) if is_blocked else None,
        told,
        class_="plan-alternatives",
        aria_label=OfferText.TITLE,
    )


def _offer(offer: Offer) -> Html:
    variant, estimate = offer.variant, offer.variant.estimate
    memory, seconds = estimate.memory_bytes, estimate.seconds
    needs = OfferText.NEEDS.format(
        memory=bytes_range_words(memory.low, memory.high),
        time=duration_range_words(seconds.low, seconds.high),
    )
    if estimate.money is not None:
        needs = OfferText.NEEDS_MONEY.format(needs=needs, money=cost_words(estimate))
    return element(
        "li",
        element(
            "div",
            element("p", _role(offer), class_="offer-role"),
            element("p", variant.words, class_="offer-words"),
            element("p", needs, class_="offer-needs"),
            element("p", OfferText.GIVES_UP.format(words=variant.gives_up), class_="quiet small")
            if variant.gives_up
            else None,
        ),
        element(
            "button",
            OfferText.TAKE,
            element("span", f": {variant.words}", class_="out-of-sight"),
            type="button",
            class_="own-button small-button",
            data_send=variant.sent,
        ),
        class_="plan-offer",
    )


def _role(offer: Offer) -> str:
    is_tight = offer.variant.estimate.verdict == "tight"
    return OfferText.TIGHT if is_tight else OfferText.ROLES[offer.role]


def _told(elsewhere: Elsewhere) -> Html | None:
    lead = OfferText.ELSEWHERE if elsewhere.ways else OfferText.WOULD_DO
    listed = elsewhere.ways or elsewhere.would_do
    if not listed and not elsewhere.why:
        return None
    return element(
        "div",
        element("p", elsewhere.why) if elsewhere.why else None,
        element("p", lead, class_="quiet small") if listed else None,
        element("ul", each(element("li", one) for one in listed)) if listed else None,
        class_="offers-told",
    )

"""The best guess on tables as people bring them is what a person would say."""

import json
from collections.abc import Callable

import pytest

from tailor.engine.data.detectors.shapes import guess_shapes
from tailor.engine.data.making.mapping import columns_of

Cell = Callable[[int], str]
ROWS = 60
SENTENCE = (
    "the pump on line four leaks after a restart and we replaced its seal because pressure fell "
    "below the limit during the last run while nobody was near"
)


def written(length: int, seed: int = 0) -> Cell:
    """A sentence that is another one in every row."""

    def cell(n: int) -> str:
        words = SENTENCE.split()
        chosen = [words[(n * 7 + seed + place * (n + 3)) % len(words)] for place in range(length)]
        return f"{' '.join(chosen).capitalize()} {n}."

    return cell


def asked(length: int = 6) -> Cell:
    return lambda n: f"{written(length)(n)[:-1]}?"


def one_of(*values: str) -> Cell:
    return lambda n: values[n % len(values)]


def number(start: int = 0, step: int = 1) -> Cell:
    return lambda n: str(start + n * step)


def day(n: int) -> str:
    return f"2024-03-{n % 28 + 1:02}"


def turns(*roles: str) -> Cell:
    return lambda n: json.dumps([{"role": role, "content": f"{role} {n}"} for role in roles])


TABLES: dict[str, tuple[dict[str, Cell], str, dict[str, str]]] = {
    "support tickets with their solution": (
        {"Ticket ID": lambda n: f"T-{1000 + n}", "Created": day, "Subject": written(3),
         "Description": written(20), "Category": one_of("Network", "Printer"),
         "Priority": one_of("low", "high"), "Resolution": written(18, 5)},
        "question_answer",
        {"question": "Description", "answer": "Resolution", "context": "Subject"},
    ),
    "support tickets to sort": (
        {"id": number(1), "subject": written(4), "body": written(25),
         "queue": one_of("billing", "tech", "sales", "returns")},
        "classes",
        {"question": "body", "answer": "queue", "context": "subject"},
    ),
    "an inbox and its replies": (
        {"subject": written(4), "incoming mail": written(30), "our reply": written(28, 3)},
        "question_answer",
        {"question": "incoming mail", "answer": "our reply", "context": "subject"},
    ),
    "lab notes": (
        {"sample_no": number(500, 3), "measured_on": day, "observation": written(15),
         "interpretation": written(10, 4)},
        "question_answer",
        {"question": "observation", "answer": "interpretation"},
    ),
    "findings and their codes": (
        {"Befund": written(12), "ICD": one_of("J45.0", "I10", "E11.9")},
        "classes",
        {"question": "Befund", "answer": "ICD"},
    ),
    "findings with a code of their own": (
        {"diagnosis_text": written(12), "icd_code": lambda n: f"J{n:02}.{n % 9}"},
        "question_answer",
        {"question": "diagnosis_text", "answer": "icd_code"},
    ),
    "legal questions with the law": (
        {"Aktenzeichen": lambda n: f"12 O {n}/21", "Gesetz": written(40), "Frage": asked(),
         "Antwort": written(30, 2)},
        "question_answer",
        {"question": "Frage", "answer": "Antwort", "context": "Gesetz"},
    ),
    "legal cases": (
        {"Sachverhalt": written(40), "Rechtsfrage": asked(), "Entscheidung": written(30, 2)},
        "question_answer",
        {"question": "Rechtsfrage", "answer": "Entscheidung", "context": "Sachverhalt"},
    ),
    "products to sort": (
        {"sku": lambda n: f"SKU{n:05}", "product_name": written(3), "description": written(18),
         "price": lambda n: f"{n}.99", "category": one_of("Garden", "Kitchen", "Toys")},
        "classes",
        {"question": "description", "answer": "category", "context": "product_name"},
    ),
    "German products to sort": (
        {"Artikelname": written(3), "Warengruppe": one_of("Garten", "Küche", "Spiel")},
        "classes",
        {"question": "Artikelname", "answer": "Warengruppe"},
    ),
    "German headings the wrong way round": (
        {"Antwort": written(20), "Frage": asked()},
        "question_answer",
        {"question": "Frage", "answer": "Antwort"},
    ),
    "French headings behind a number": (
        {"N°": number(1), "Réponse": written(20), "Question": asked()},
        "question_answer",
        {"question": "Question", "answer": "Réponse"},
    ),
    "Spanish headings and a date": (
        {"pregunta": asked(), "respuesta": written(20), "fecha": lambda n: "01/02/2024"},
        "question_answer",
        {"question": "pregunta", "answer": "respuesta"},
    ),
    "headings that say nothing, the wrong way round": (
        {"A": written(20), "B": asked()},
        "question_answer",
        {"question": "B", "answer": "A"},
    ),
    "frequent questions": (
        {"Topic": one_of("Shipping", "Returns"), "FAQ question": asked(),
         "Standard answer": written(20), "Last updated": day},
        "question_answer",
        {"question": "FAQ question", "answer": "Standard answer"},
    ),
    "names that only look like parts": (
        {"question_id": number(7, 11), "question_type": one_of("a", "b"), "question": asked(),
         "answer_id": number(90, 3), "answer_date": day, "answer": written(12)},
        "question_answer",
        {"question": "question", "answer": "answer"},
    ),
    "a survey with thumbs in words": (
        {"Zeitpunkt": lambda n: f"0{n % 9 + 1}.02.2024 14:22", "Frage": asked(),
         "Antwort": written(20), "Hilfreich?": one_of("ja", "nein")},
        "thumbs",
        {"question": "Frage", "answer": "Antwort", "rating": "Hilfreich?"},
    ),
    "a log of a bot with thumbs": (
        {"timestamp": lambda n: f"2024-01-01T10:00:{n:02}", "user_query": asked(),
         "bot_response": written(20), "thumbs": one_of("👍", "👎")},
        "thumbs",
        {"question": "user_query", "answer": "bot_response", "rating": "thumbs"},
    ),
    "answers with stars": (
        {"prompt": asked(), "completion": written(20), "rating": lambda n: str(n % 5 + 1)},
        "thumbs",
        {"question": "prompt", "answer": "completion", "rating": "rating"},
    ),
    "two answers and a rater": (
        {"question": asked(), "answer_a": written(20), "answer_b": written(20, 9),
         "preferred": one_of("A", "B", "tie")},
        "preference",
        {"question": "question", "chosen": "answer_a", "rejected": "answer_b",
         "rating": "preferred"},
    ),
    "two German answers and a rater": (
        {"Nr": number(1), "Frage": asked(), "Antwort 1": written(20), "Antwort 2": written(20, 9),
         "Bewerter": one_of("MK", "LS"), "besser": one_of("1", "2")},
        "preference",
        {"question": "Frage", "chosen": "Antwort 1", "rejected": "Antwort 2", "rating": "besser"},
    ),
    "good and bad answers": (
        {"Question": asked(), "Bad answer": written(20), "Good answer": written(20, 9)},
        "preference",
        {"question": "Question", "chosen": "Good answer", "rejected": "Bad answer"},
    ),
    "a forum's better and worse answer": (
        {"qid": number(7, 7), "question": asked(), "date": day, "response_j": written(20),
         "response_k": written(20, 9)},
        "preference",
        {"question": "question", "chosen": "response_j", "rejected": "response_k"},
    ),
    "answers in a list with their ranks": (
        {"prompt": asked(), "answers": lambda n: json.dumps(
            [{"answer": f"a{n}", "rank": 2.0}, {"answer": f"b{n}", "rank": 1.0}])},
        "preference",
        {"question": "prompt", "ranked": "answers"},
    ),
    "answers in a list and scores in another": (
        {"prompt": asked(), "responses": lambda n: json.dumps([f"a{n}", f"b{n}", f"c{n}"]),
         "scores": lambda n: "[1, 5, 3]"},
        "preference",
        {"question": "prompt", "ranked": "responses", "rating": "scores"},
    ),
    "comparisons that repeat the question": (
        {"prompt": asked(), "prompt_id": lambda n: f"{n}ab", "chosen": turns("user", "assistant"),
         "rejected": lambda n: turns("user", "assistant")(n).replace('t": "assis', 't": "worse'),
         "score_chosen": one_of("8.0", "7.5"), "score_rejected": one_of("6.5", "3.0")},
        "preference",
        {"chosen": "chosen", "rejected": "rejected"},
    ),
    "transcripts that are compared": (
        {"chosen": lambda n: f"\n\nHuman: q{n}\n\nAssistant: good {n}",
         "rejected": lambda n: f"\n\nHuman: q{n}\n\nAssistant: bad {n}"},
        "preference",
        {"chosen": "chosen", "rejected": "rejected"},
    ),
    "a help desk's chat, a message a row": (
        {"conversation_id": lambda n: f"c{n // 4}", "timestamp": lambda n: f"2024-05-01 10:{n:02}",
         "sender": one_of("customer", "agent"), "message": written(10)},
        "chat",
        {"thread": "conversation_id", "speaker": "sender", "text": "message",
         "order": "timestamp"},
    ),
    "a messenger's export": (
        {"Datum": lambda n: f"{n // 6 + 1:02}.05.2024, 10:{n:02}",
         "Absender": one_of("Anna", "Studio Nord"), "Nachricht": written(6)},
        "chat",
        {"thread": "Datum", "speaker": "Absender", "text": "Nachricht", "order": "Datum"},
    ),
    "a tree of messages": (
        {"message_id": lambda n: f"m{n}", "parent_id": lambda n: f"m{n - 1}" if n % 2 else "",
         "role": one_of("prompter", "assistant"), "text": written(9)},
        "chat",
        {"thread": "message_id", "parent": "parent_id", "speaker": "role", "text": "text"},
    ),
    "chained questions": (
        {"id": lambda n: f"r{n}", "parent_id": lambda n: f"r{n - 1}" if n % 3 else "",
         "instruction": asked(), "output": written(20)},
        "question_answer",
        {"question": "instruction", "answer": "output", "thread": "id", "parent": "parent_id"},
    ),
    "calls written down": (
        {"call_id": lambda n: f"K-{n}",
         "transcript": lambda n: f"Agent: Hello.\nCustomer: Does it run, {n}?\nAgent: Yes {n}."},
        "chat",
        {"messages": "transcript"},
    ),
    "calls and their summary": (
        {"transcript": lambda n: f"Customer: Does it run, {n}?\nAgent: Yes {n}.",
         "summary": written(12)},
        "question_answer",
        {"question": "transcript", "answer": "summary"},
    ),
    "speakers with names": (
        {"id": number(1), "conversation": lambda n: json.dumps(
            [{"speaker": "Tom", "text": f"q{n}"}, {"speaker": "Lea", "text": f"a{n}"}])},
        "chat",
        {"messages": "conversation"},
    ),
    "rated conversations": (
        {"messages": turns("user", "assistant"), "label": one_of("true", "false")},
        "thumbs",
        {"messages": "messages", "rating": "label"},
    ),
    "conversations with tools": (
        {"conversations": turns("user", "assistant"), "tools": one_of(
            '[{"name": "look", "description": "d", "parameters": {}}]', "[]", "[]")},
        "chat",
        {"messages": "conversations", "tools": "tools"},
    ),
    "instructions with a passage now and then": (
        {"instruction": asked(), "context": lambda n: written(20)(n) if n % 3 == 0 else "",
         "response": written(20), "category": one_of("qa", "brainstorming")},
        "question_answer",
        {"question": "instruction", "answer": "response", "context": "context"},
    ),
    "questions with standing instructions": (
        {"id": lambda n: f"niv.{n}", "system_prompt": one_of("Be kind.", "Be brief."),
         "question": asked(), "response": written(20)},
        "question_answer",
        {"question": "question", "answer": "response", "system": "system_prompt"},
    ),
    "questions with earlier turns": (
        {"instruction": asked(), "input": lambda n: "", "output": written(12),
         "history": lambda n: json.dumps([[f"q{n}", f"a{n}"]])},
        "question_answer",
        {"question": "input", "context": "instruction", "answer": "output", "history": "history"},
    ),
    "questions to a passage": (
        {"id": lambda n: f"5{n}a", "title": one_of("Pumps", "Valves"), "context": written(40),
         "question": asked(),
         "answers": lambda n: json.dumps({"text": [f"seal {n}"], "answer_start": [3]})},
        "question_answer",
        {"question": "question", "answer": "answers", "context": "context"},
    ),
    "two sentences and their relation": (
        {"premise": written(15), "hypothesis": written(8), "label": one_of("0", "1", "2")},
        "classes",
        {"question": "hypothesis", "answer": "label", "context": "premise"},
    ),
    "reviews with stars": (
        {"Bewertungstext": written(30), "Sterne": lambda n: str(n % 5 + 1)},
        "classes",
        {"question": "Bewertungstext", "answer": "Sterne"},
    ),
    "translations": (
        {"de": written(12), "en": written(12, 4)},
        "question_answer",
        {"question": "de", "answer": "en"},
    ),
    "articles and their summary": (
        {"id": lambda n: f"a{n}", "article": written(150), "highlights": written(20)},
        "question_answer",
        {"question": "article", "answer": "highlights"},
    ),
    "articles": (
        {"title": written(6), "text": written(120), "date": day,
         "url": lambda n: f"https://example.org/{n}"},
        "text",
        {"text": "text"},
    ),
    "pages of a document": (
        {"page": number(1), "page_content": written(90)},
        "text",
        {"text": "page_content"},
    ),
    "code with a gap": (
        {"path": lambda n: f"src/part{n // 5}.py", "language": one_of("Python"),
         "before": lambda n: f"def run{n}(x):\n    y = x + 1\n", "middle": lambda n: f"    y += {n}\n",
         "after": lambda n: "" if n % 2 else "    return y\n"},
        "middle",
        {"before": "before", "answer": "middle", "after": "after", "group": "path"},
    ),
    "people are no code": (
        {"prefix": one_of("Dr", "Prof"), "name": written(2), "suffix": one_of("PhD", "MD"),
         "department": one_of("North", "South")},
        "classes",
        {"question": "name", "answer": "department"},
    ),
    "pictures and what they show": (
        {"image": lambda n: f"img/{n}.jpg", "caption": written(10)},
        "question_answer",
        {"answer": "caption", "pictures": "image"},
    ),
    "questions to pictures": (
        {"image": lambda n: f"img/{n}.jpg", "question": asked(), "answer": written(3)},
        "question_answer",
        {"question": "question", "answer": "answer", "pictures": "image"},
    ),
    "sums": (
        {"problem": written(12), "answer": number(5, 3)},
        "question_answer",
        {"question": "problem", "answer": "answer"},
    ),
    "sides called after people": (
        {"system": one_of("Be kind.", "Be brief."), "user": asked(), "assistant": written(12)},
        "question_answer",
        {"question": "user", "answer": "assistant", "system": "system"},
    ),
    "answers with their source": (
        {"Frage": asked(), "Antwort": written(20), "Quelle": one_of("S. 3", "S. 9", "Anhang")},
        "question_answer",
        {"question": "Frage", "answer": "Antwort"},
    ),
    "reviews of products are no chats": (
        {"product_id": lambda n: f"P{n // 4}", "reviewer_name": lambda n: f"Person {n % 13}",
         "review_text": written(20), "stars": lambda n: str(n % 5 + 1)},
        "classes",
        {"question": "review_text", "answer": "stars"},
    ),
    "articles of several authors are no chats": (
        {"author": one_of("A. Berg", "C. Dorn", "E. Fels"), "title": written(5),
         "published": lambda n: f"2024-03-{n % 28 + 1:02} 09:15", "text": written(90)},
        "text",
        {"text": "text"},
    ),
    "finished conversations as text": (
        {"text": lambda n: f"### Human: Is it {n}?### Assistant: It is {n}."},
        "chat",
        {"messages": "text"},
    ),
    "scores of a machine are no thumbs": (
        {"prompt": asked(), "response": written(20), "score": lambda n: f"0.{n + 10}"},
        "question_answer",
        {"question": "prompt", "answer": "response"},
    ),
    "rows tied to a patient": (
        {"patient_id": lambda n: f"P{n // 3:03}", "question": asked(), "answer": written(12)},
        "question_answer",
        {"question": "question", "answer": "answer", "group": "patient_id"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_the_best_guess_is_what_a_person_would_say(name: str) -> None:
    columns, shape, parts = TABLES[name]
    rows = [tuple(cell(n) for cell in columns.values()) for n in range(ROWS)]
    best = guess_shapes(tuple(columns), rows)[0]
    assert (best.mapping.shape, columns_of(best.mapping)) == (shape, parts), best.why
    assert best.why


def test_stars_are_told_with_their_number_and_a_name_gives_the_answers() -> None:
    columns, *_ = TABLES["answers with stars"]
    rows = [tuple(cell(n) for cell in columns.values()) for n in range(ROWS)]
    assert guess_shapes(tuple(columns), rows)[0].mapping.stars == 5
    columns, *_ = TABLES["a messenger's export"]
    rows = [tuple(cell(n) for cell in columns.values()) for n in range(ROWS)]
    assert guess_shapes(tuple(columns), rows)[0].mapping.answers_of == "Studio Nord"

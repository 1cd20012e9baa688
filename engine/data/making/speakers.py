"""Who speaks: the names that programs and people give to the sides of a conversation.

OpenAI writes user and assistant, ShareGPT human and gpt, a help desk customer and agent, and a
German one Kunde and Berater. A name that is not here is told, never guessed, unless the person says
whose turns are the answers. `turns`, `transcripts` and the detectors ask here.
"""

from typing import Literal

from tailor.engine.data.making.example import NotTeachableError

Role = Literal["system", "user", "assistant", "tool"]

_NAMES: dict[Role, str] = {
    "user": "user human prompter customer client question questioner asker caller visitor student "
    "patient person me you instruction prompt input frage kunde kundin nutzer nutzerin benutzer "
    "mensch anrufer utilisateur utilisatrice humain cliente usuario usuaria humano pregunta utente "
    "domanda usuário pergunta gebruiker klant пользователь человек клиент 用户 人类 客户 ユーザー",
    "assistant": "assistant gpt model bot chatgpt ai answer answerer agent advisor support "
    "operator expert staff teacher tutor doctor response completion output llm claude gemini "
    "llama antwort "
    "assistent assistentin berater beraterin mitarbeiter mitarbeiterin ki modell conseiller "
    "conseillère réponse ia asistente agente respuesta assistente risposta resposta medewerker "
    "ассистент бот оператор ответ 助手 机器人 客服 アシスタント",
    "system": "system developer système sistema система 系统 システム",
    "tool": "tool function observation ipython environment tool_response function_response "
    "tool_result function_result tool_output",
}  # fmt: skip
ROLES: dict[str, Role] = {name: role for role, names in _NAMES.items() for name in names.split()}
CALLERS = frozenset({"function_call", "tool_call", "function-call", "tool-call"})
"""Speakers whose turn is a call of a tool: the assistant, in a spelling of ShareGPT."""


def find_role(name: str, answers_of: str = "") -> Role | None:
    """The role behind a speaker's name; None when it is not known.

    `answers_of` is whose turns are the answers; everybody else whose name is no role then asks.
    """
    plain = name.strip().strip("*_#<>|[]").strip().casefold()
    if answers_of and plain == answers_of.strip().casefold():
        return "assistant"
    role = ROLES.get(plain) or ("assistant" if plain in CALLERS else None)
    if answers_of and role not in ("system", "tool"):
        return "user"
    return role


def read_role(name: str, answers_of: str = "") -> Role:
    """The role behind a speaker's name; raises when it is not known."""
    role = find_role(name, answers_of)
    if role is None:
        raise NotTeachableError(f"the speaker “{name[:40]}” is not known")
    return role

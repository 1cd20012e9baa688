"""What a column's name says about its part: question, answer, background, instruction.

Names are compared by whole words. Matching parts of words once took "context" for a text column and
made the passage the question (seen in another program). Pure; `shapes` asks here.
"""

import re

_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

# Best first: a table with "question" and "text" has its question in "question".
QUESTION_WORDS = (
    "question", "prompt", "query", "instruction", "input", "request", "problem", "user", "human",
    "ask", "frage", "pregunta", "domanda", "pergunta", "вопрос", "问题", "質問",
    "source", "text", "sentence", "utterance", "message", "note", "review", "comment", "ticket",
    "description", "title", "subject", "email", "content", "post", "tweet", "article",
)  # fmt: skip
ANSWER_WORDS = (
    "answer", "response", "output", "completion", "reply", "assistant", "solution", "target",
    "antwort", "respuesta", "réponse", "reponse", "risposta", "resposta", "ответ", "答案", "回答",
    "label", "category", "class", "intent", "tag", "topic", "sentiment", "summary", "translation",
    "result", "expected", "gold", "code", "chosen",
)  # fmt: skip
CONTEXT_WORDS = (
    "context", "passage", "background", "document", "paragraph", "kontext", "contexto", "контекст",
    "article", "evidence", "reference",
)  # fmt: skip
SYSTEM_WORDS = ("system",)
TEXT_WORDS = ("text", "content", "document", "body", "article", "story", "passage")
DETAILS_WORDS = ("input", "details")
ASKING_WORDS = ("instruction", "question", "prompt", "task", "query")


def split_words(name: str) -> tuple[str, ...]:
    """The words of a column name, small: "QuestionText_2" has question, text and 2."""
    return tuple(word.casefold() for word in _WORD.findall(_CAMEL.sub(" ", name)))


def rank_name(name: str, words: tuple[str, ...]) -> float:
    """How well a name fits a part, 0 to 1; the whole name counts more than one word of it."""
    parts = split_words(name)
    best = 0.0
    for place, word in enumerate(words):
        if word not in parts and f"{word}s" not in parts:
            continue
        exact = len(parts) == 1
        best = max(best, (1.0 if exact else 0.7) - 0.01 * place)
    return best

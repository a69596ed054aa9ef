"""How well a memory answers: questions with known answers, asked of a user's own memory."""

from jiyi.evaluation.measures import Measures
from jiyi.evaluation.questions import Question, read_questions
from jiyi.evaluation.run import Answer, Evaluation, evaluate

__all__ = ["Answer", "Evaluation", "Measures", "Question", "evaluate", "read_questions"]

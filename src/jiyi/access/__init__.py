"""Who may come in: keys, their rights, and the memory as seen through one. No web framework here.

A service asks the ring to admit whoever knocks, and works with what that admission shows::

    keyring = Keyring(memory, open_without_keys=True)
    admission = keyring.admit(token)               # AccessError: no key, or none that is good
    mine = admission.memory("read", user="sun")    # AccessError: not this right, not this user
    mine.recall("…")

The view from `admission.memory` can be used like any `Memory`: whatever scope a verb is given goes
through the key, so that it reaches nothing else, and the audit log names the key beside every
change.
"""

from jiyi.access.addresses import is_loopback
from jiyi.access.admission import EVERYWHERE, Admission
from jiyi.access.authorise import authorise
from jiyi.access.keyring import Keyring, Made
from jiyi.access.rights import RIGHT_OF
from jiyi.errors import AccessError
from jiyi.types import RIGHTS, Key, Right

__all__ = [
    "EVERYWHERE",
    "RIGHTS",
    "RIGHT_OF",
    "AccessError",
    "Admission",
    "Key",
    "Keyring",
    "Made",
    "Right",
    "authorise",
    "is_loopback",
]

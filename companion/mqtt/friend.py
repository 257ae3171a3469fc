"""A game that two tables play together over a broker: the partner at one table is the player at the other.

What is sent
    Each table has one retained message (`FriendMessage`): its whole log, a few kilobytes at the end of a game, with the
    setup and the number of take-backs that both have agreed to. A message replaces the one before. So there is nothing
    to number, to acknowledge or to ask for: a table that was off, a broker that was gone, a message that is lost, late
    or comes twice are all the same, because the newest message has everything and an older one is a part of it.

Who decides
    A table takes decisions of its own seat only. From the other's log it takes the first decision that its own log
    lacks, if it is by the other's seat, that seat is to move, and the rules allow it; it goes to the turn loop like a
    robot's. Thus of two logs with as many take-backs one is always a part of the other.

Undo
    A press of undo says in the message: I agree that all but the first n decisions are taken back. Once both logs say
    so, the table of seat 1, and no other, takes them back, down to the larger n, and counts the take-back. The other
    follows a log that has one more, down to the same n, if it has agreed to go that far. As seat 1 alone counts, both
    never count differently; what seat 2 decided meanwhile is taken back, too.

On disk
    The decisions are the journal's. A note (`_Memory`) has the take-backs, what this table has agreed to, and one
    that is under way: written before it begins, so that a table that was killed in it ends it when it is back. A
    decision is in the journal before it is sent, an agreement in the note.

Faults
    A log that contradicts these rules changes nothing; the players are told at which decision the tables differ.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import takewhile
from typing import Any, Final

import msgspec

from companion.journal import Journal
from companion.languages import Sentence, counted, is_plain, said
from companion.mqtt.messages import LONGEST_WORD, FriendMessage, MessageError, WordMessage, read_message
from companion.play.events import History
from companion.play.friend import Friend, FriendLine, FriendStatus, friend_in
from companion.play.inbox import CommandRefusedError, Inbox, Outcome, Propose, TakeBack, was_away
from companion.record import AnyCodec, RecordError

_NOTE: Final = "friend"
_COUNTING_SEAT: Final = 1
"""The seat whose table counts the take-backs."""
# More than people send in one game. A number above was not counted by a companion, and counting on from it would soon
# lead to one that no message may have.
_MOST_WORDS: Final = 1_000_000


class _Memory(msgspec.Struct):
    """A note on the game that a table needs after it was killed; see the module's text.

    Attributes:
        taken_back: how often both have agreed to take decisions back.
        left: how many decisions the latest take-back has left.
        under_way: the number of decisions that the take-back under way leaves, or None.
        agreed: the lowest number of decisions that this table has agreed to leave since the last take-back, or None.
        word: the latest word to the friend.
        heard: the number of the friend's latest word that was announced.
        is_ended: whether both tables have all of the finished game.
    """

    taken_back: int = 0
    left: int = 0
    under_way: int | None = None
    agreed: int | None = None
    word: WordMessage | None = None
    heard: int = 0
    is_ended: bool = False


class FriendPartner:
    """The friend at another table, as a partner at this one.

    Args:
        friend: the friend's seat, and the game's code.
        line: the connection.
        book: the journal.
        game_id: the game's number in it.
        codec: the game's.
        history: the game so far.
        inbox: the requests to the turn loop.
        say: announces a sentence at the table, with what it is about.
        is_laid: whether the friend's patches are laid on this table, too.
        waits_s: how long a frame may wait for the friend, in seconds, at a simulated table that would rush on.

    Attributes:
        seat: the friend's seat.
        is_laid: as given.
    """

    def __init__(
        self,
        friend: Friend,
        line: FriendLine,
        book: Journal,
        game_id: int,
        codec: AnyCodec,
        history: History,
        inbox: Inbox,
        say: Callable[[str, object], None],
        *,
        is_laid: bool = True,
        waits_s: float = 0.0,
    ) -> None:
        self.seat, self.is_laid, self._code = friend.seat, is_laid, friend.code
        self._line, self._book, self._game_id, self._codec = line, book, game_id, codec
        self._history, self._inbox, self._say, self._waits_s = history, inbox, say, waits_s
        players = history.state.setup.players
        self._name, self._own_name = players[friend.seat - 1], players[2 - friend.seat]
        self._memory = _memory_in(book.notes(game_id).get(_NOTE, ""))
        self._undo: int | None = None
        self._undo_asked_at = 0
        self._read: bytes | None = None
        self._theirs: FriendMessage | None = None
        self._their_decisions: tuple[Any, ...] = ()
        self._differs = False
        self._sent: object = None
        self._request: Propose | TakeBack | None = None
        self._outcome: Outcome | None = None
        self._was_there: bool | None = None
        self._told: set[object] = set()

    @property
    def status(self) -> FriendStatus:
        """The present state of the other table, as far as it is known here."""
        theirs, own = self._theirs, self._memory.word
        word = "" if theirs is None or theirs.word is None else theirs.word.text
        own_word = "" if own is None else own.text
        return FriendStatus(self.seat, self._code, self._line.is_there, word, own_word, self._wished())

    def tick(self, now_s: float) -> None:
        """Read what has come, ask the turn loop for what follows from it, and send what is new; once per frame."""
        del now_s
        if self._waits_s and self._history.state.turn == self.seat and self._request is None:
            self._line.wait(self._waits_s)
        self._hear()
        if self._memory.under_way is None:
            self._lapse_undo()
            request = self._next_request()
        else:
            # Again after a restart, if the table was killed in it.
            request = TakeBack(self._memory.under_way)
        if request != self._request:
            self._request, self._outcome = request, None
        self._ask()
        if self._memory.under_way is None:
            self._send()

    # What has come.

    def _hear(self) -> None:
        """Read the newest message, and announce what is new in it."""
        if self._line.newest != self._read:
            self._read = self._line.newest
            self._take_in(self._read or b"")
        is_there = self._line.is_there
        # The own connection may be lost, too: whether the friend's is there is unknown again then.
        if is_there != self._was_there and not (is_there is None and self._was_there is False):
            self._was_there = bool(is_there)
            if self._was_there:
                self._announce(said("{name}’s table is there.", name=self._name))
            else:
                self._announce(said("{name}’s table is away; the game goes on once it is back.", name=self._name))

    def _take_in(self, payload: bytes) -> None:
        # An ended game's message is emptied.
        if not payload:
            return
        try:
            theirs = read_message(payload, FriendMessage)
            decisions = tuple(self._codec.decision_from_json(line) for line in theirs.decisions)
            is_same = self._is_same_game(theirs)
        except (MessageError, RecordError, self._codec.errors):
            self._tell_once("unreadable", said("{name}’s table sends what this one cannot read.", name=self._name))
            return
        if not is_same:
            says = said("{name}’s table plays another game with this code.", name=self._name)
            self._tell_once("another", says)
            return
        # What is late is a part of what is known, unless that cannot be the friend's.
        known = None if self._theirs is None or self._differs else self._theirs
        if known is not None and (theirs.taken_back, len(decisions)) < (known.taken_back, len(known.decisions)):
            return
        wish = (self._memory.taken_back, self._their_wish(), len(decisions))
        is_withdrawn = self._wished() > 0 and theirs.undo is None and decisions == self._their_decisions
        self._theirs, self._their_decisions, self._differs = theirs, decisions, False
        if is_withdrawn and theirs.taken_back == self._memory.taken_back:
            self._told.discard(wish)
            withdrawn = said("Withdrawn: nothing is taken back.")
            self._announce(said("{name}: {word}", name=self._name, word=withdrawn))
        if theirs.word is not None and self._memory.heard < theirs.word.number <= _MOST_WORDS:
            self._remember(heard=theirs.word.number)
            if is_word(theirs.word.text):
                self._announce(said("{name}: {word}", name=self._name, word=theirs.word.text))
        left = self._their_wish()
        if left is not None and self._undo is None:
            self._announce_wish(left)

    def _is_same_game(self, theirs: FriendMessage) -> bool:
        """Return whether a message is about this game, whatever its players are called there."""
        own = self._codec.setup_to_json(self._history.state.setup)
        setup = self._codec.setup_to_json(self._codec.setup_from_json(theirs.setup))
        return theirs.seat == self.seat and {**setup, "players": None} == {**own, "players": None}

    def _announce_wish(self, left: int) -> None:
        says = counted(
            "{name} asks to take back {count} decision. Press undo if you agree, or just go on.",
            "{name} asks to take back {count} decisions. Press undo if you agree, or just go on.",
            self._wished(),
            name=self._name,
        )
        self._tell_once((self._memory.taken_back, left, len(self._their_decisions)), says)

    # What follows from it.

    def _next_request(self) -> Propose | TakeBack | None:
        """Return what the turn loop is to do next by both logs, or None."""
        theirs, made = self._theirs, len(self._history.decisions)
        if theirs is None or theirs.taken_back < self._memory.taken_back:
            return None
        pairs = zip(self._history.decisions, self._their_decisions, strict=False)
        common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        if theirs.taken_back > self._memory.taken_back:
            return self._followed(theirs, common)
        if common < min(made, len(self._their_decisions)):
            self._differ(common)
            return None
        wish = self._their_wish()
        if self.seat != _COUNTING_SEAT and self._undo is not None and wish is not None:
            return self._begin_taking_back(max(self._undo, wish))
        return self._proposed(made) if len(self._their_decisions) > made else None

    def _followed(self, theirs: FriendMessage, common: int) -> TakeBack | None:
        """Follow a take-back that the other table has counted, if this one has agreed to go that far."""
        agreed, left = self._memory.agreed, theirs.left
        is_next = theirs.taken_back == self._memory.taken_back + 1 and self.seat == _COUNTING_SEAT
        kept = min(left, len(self._history.decisions), len(self._their_decisions))
        if not is_next or agreed is None or left < agreed or common < kept:
            self._differ(common)
            return None
        return self._begin_taking_back(left)

    def _begin_taking_back(self, left: int) -> TakeBack:
        self._remember(under_way=left)
        return TakeBack(left)

    def _proposed(self, made: int) -> Propose | None:
        """Return the proposal of the friend's next decision, or None if it is none of theirs or against the rules."""
        decision = self._their_decisions[made]
        if isinstance(self._request, Propose) and self._request == Propose(decision, made):
            return self._request
        if not (decision.seat == self.seat == self._history.state.turn and self._is_legal(decision)):
            self._differ(made)
            return None
        return Propose(decision, made)

    def _is_legal(self, decision: Any) -> bool:
        """Return whether the rules allow a decision now."""
        copy = self._codec.begin(self._history.state.setup)
        with suppress(self._codec.errors):
            for each in (*self._history.decisions, decision):
                copy.apply(each)
            return True
        return False

    def _differ(self, common: int) -> None:
        self._differs = True
        says = said(
            "The two tables differ at decision {number}. Go on at one of them, and begin at the other with {options}: "
            "it takes over the game.",
            number=common + 1,
            options=f"--new --code {self._code}",
        )
        self._tell_once(("differs", common), says)

    def _ask(self) -> None:
        """Put the request into the inbox, again if the table was away, and count a take-back that was carried out."""
        request, outcome = self._request, self._outcome
        if isinstance(request, TakeBack) and outcome is not None and outcome.done() and outcome.exception() is None:
            counted_now = self._memory.taken_back + 1
            self._remember(taken_back=counted_now, left=request.made, under_way=None, agreed=None)
            self._request = self._outcome = self._undo = None
        elif request is not None and (outcome is None or was_away(outcome)):
            self._outcome = self._inbox.put(request)

    # What is sent.

    def _send(self) -> None:
        decisions, memory = self._history.decisions, self._memory
        key = decisions, memory.taken_back, memory.left, self._undo, memory.word, memory.heard
        is_last = bool(self._history.state.finished) and self._their_decisions == decisions
        if (key, is_last) == self._sent:
            return
        self._sent = key, is_last
        if is_last != memory.is_ended:
            self._remember(is_ended=is_last)
        message = FriendMessage(
            self._code,
            3 - self.seat,
            self._own_name,
            self._codec.setup_to_json(self._history.state.setup),
            tuple(self._codec.decision_to_json(each) for each in decisions),
            memory.taken_back,
            memory.left,
            self._undo,
            memory.word,
            memory.heard,
        )
        self._line.publish(msgspec.json.encode(message), is_last=is_last)

    @property
    def wants_undo(self) -> bool:
        """See `FarTable`."""
        return self._undo is not None

    def send(self, text: str) -> None:
        """See `FarTable`.

        Raises:
            CommandRefusedError: it is too long, or not readable.
        """
        if not is_word(text):
            raise CommandRefusedError.said("A word has 1 to {count} characters.", count=LONGEST_WORD)
        number = max(0 if self._memory.word is None else self._memory.word.number, self._heard_there()) + 1
        self._remember(word=WordMessage(number, text))
        self._announce(said("{name}: {word}", name=self._own_name, word=text))

    def _heard_there(self) -> int:
        heard = 0 if self._theirs is None else self._theirs.heard
        return heard if heard <= _MOST_WORDS else 0

    def ask_undo(self) -> str:
        """See `FarTable`."""
        if self._undo is not None:
            self._undo = None
            return said("Withdrawn: nothing is taken back.")
        left = self._agreed_left()
        if left is None:
            return said("There is nothing to take back.")
        agreed = self._memory.agreed
        # Before it is sent: the other table may act upon it even if this one is killed.
        self._remember(agreed=left if agreed is None else min(agreed, left))
        self._undo, self._undo_asked_at = left, len(self._history.decisions)
        if self._their_wish() is not None:
            return said("{name} agrees that it is taken back.", name=self._own_name)
        return said(
            "{name} is asked to agree with undo, too. Press undo again to withdraw, or just go on.", name=self._name
        )

    def _agreed_left(self) -> int | None:
        """Return how many decisions a press of undo means to leave: as the friend asks, or all before the own last."""
        if (wish := self._their_wish()) is not None:
            return wish
        own = [number for number, each in enumerate(self._history.decisions) if each.seat != self.seat]
        return own[-1] if own else None

    def _their_wish(self) -> int | None:
        """Return how many decisions the friend agrees to leave; None for a wish to take back none."""
        theirs = self._theirs
        if theirs is None or theirs.undo is None or theirs.taken_back != self._memory.taken_back:
            return None
        return theirs.undo if theirs.undo < self._made_anywhere() else None

    def _wished(self) -> int:
        """Return how many decisions the friend asks to take back; 0 if none, or if this table has agreed."""
        left = self._their_wish()
        return 0 if left is None or self._undo is not None else self._made_anywhere() - left

    def _made_anywhere(self) -> int:
        return max(len(self._history.decisions), len(self._their_decisions))

    def _lapse_undo(self) -> None:
        """Drop the own agreement once the game has gone on."""
        if self._undo is not None and len(self._history.decisions) != self._undo_asked_at:
            self._undo = None

    def _remember(self, **changed: Any) -> None:
        self._memory = msgspec.structs.replace(self._memory, **changed)
        self._book.note(self._game_id, _NOTE, msgspec.json.encode(self._memory).decode())

    def _announce(self, says: Sentence) -> None:
        self._say(says, self.status)

    def _tell_once(self, key: object, says: Sentence) -> None:
        if key not in self._told:
            self._told.add(key)
            self._announce(says)


def take_over(payload: bytes, book: Journal, game_id: int, codec: AnyCodec) -> None:
    """Take over what the friend's table has of a game that has just begun here: one joined late, or once more.

    Args:
        payload: the friend's message.
        book: the journal.
        game_id: the game's number in it; it has no decisions.
        codec: the game's.
    """
    history = codec.begin(book.setup(game_id, codec))
    # What does not fit is said once the game is on the table.
    with suppress(MessageError, codec.errors):
        theirs = read_message(payload, FriendMessage)
        for number, line in enumerate(theirs.decisions, start=1):
            decision = codec.decision_from_json(line)
            history.apply(decision)
            book.append(game_id, number, decision)
        heard = 0 if theirs.word is None else theirs.word.number
        memory = _Memory(theirs.taken_back, theirs.left, heard=heard)
        book.note(game_id, _NOTE, msgspec.json.encode(memory).decode())


def owes_end(notes: Mapping[str, str]) -> bool:
    """Return whether the friend's table may lack the end of a finished game, by the game's notes."""
    return friend_in(notes) is not None and not _memory_in(notes.get(_NOTE, "")).is_ended


def _memory_in(note: str) -> _Memory:
    with suppress(msgspec.DecodeError):
        return msgspec.json.decode(note, type=_Memory)
    return _Memory()


def is_word(text: str) -> bool:
    """Return whether a text can be sent as a word: one line of readable characters."""
    return bool(text.strip()) and len(text) <= LONGEST_WORD and is_plain(text)

"""Where there is too little room, what matters least goes first, and no id is ever cut."""

import pytest

from queue_core.console.columns import Column, laid_out

ID, KIND, GROUP = Column("ID"), Column("KIND", rank=1), Column("GROUP", rank=2)
WORK, ERROR = Column("WORK", is_text=True), Column("ERROR", is_text=True)


def lines(*columns: Column, rows: list[tuple[str, ...]], room: int | None) -> list[str]:
    return list(laid_out(columns, rows, room))


def test_without_a_width_nothing_is_cut():
    assert lines(ID, WORK, rows=[("1", "w" * 500)], room=None) == ["ID  WORK", f"1   {'w' * 500}"]


def test_columns_that_say_nothing_are_left_out_but_where_there_is_no_row():
    assert lines(ID, GROUP, WORK, rows=[("1", "", "w")], room=None) == ["ID  WORK", "1   w"]
    assert lines(ID, GROUP, WORK, rows=[], room=None) == ["ID  GROUP  WORK"]


@pytest.mark.parametrize(
    ("room", "head"), [(80, ["ID", "KIND", "GROUP", "WORK"]), (45, ["ID", "KIND", "WORK"]), (35, ["ID", "WORK"])]
)
def test_the_least_important_column_goes_first(room, head):
    shown = lines(ID, KIND, GROUP, WORK, rows=[("i" * 10, "k" * 6, "g" * 6, "w" * 100)], room=room)
    assert shown[0].split() == head
    assert shown[1].startswith("i" * 10)
    assert shown[1].endswith("w…")
    assert len(shown[1]) == room


def test_texts_share_what_is_left():
    shown = lines(WORK, ERROR, rows=[("w" * 100, "e" * 100)], room=62)
    assert shown[1] == f"{'w' * 29}…  {'e' * 29}…"
    assert lines(WORK, ERROR, rows=[("w" * 25, "e" * 100)], room=62)[1] == f"{'w' * 25}  {'e' * 34}…"


def test_texts_without_room_get_lines_of_their_own():
    shown = lines(ID, WORK, ERROR, rows=[("i" * 26, "w" * 100, ""), ("j", "w", "e")], room=50)
    assert shown == ["ID", "  WORK", "  ERROR", "i" * 26, f"  {'w' * 47}…", "j", "  w", "  e"]


def test_an_id_is_whole_whatever_the_width():
    assert lines(ID, WORK, rows=[("i" * 100, "w")], room=40)[2] == "i" * 100


def test_wide_characters_take_two_places():
    assert lines(WORK, ID, rows=[("語" * 50, "1")], room=30)[1] == f"{'語' * 12}…   1"

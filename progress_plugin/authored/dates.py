"""Find the date in a heading, however it is written."""

import re
from typing import NamedTuple

from progress_plugin.text.patterns import LazyPattern

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_OFFSETS = {
    "z": 0, "utc": 0, "gmt": 0, "est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360,
    "pst": -480, "pdt": -420, "cet": 60, "cest": 120, "jst": 540, "kst": 540,
}  # fmt: skip
"""Minutes east of UTC, as RFC 2822 knows the zones; a name that means several, such as IST, is not here."""
_MONTH = r"(?P<%s>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_CLOCK = (
    r"(?:(?:[T,]\s*|\s+(?:at\s+|-\s+|–\s+|~\s*|≈\s*)?)(?P<clock>\d{1,2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?!\d)"
    r"(?:\s*(?P<half>am|pm)\b)?"
    r"(?:,?\s*(?P<zone>Z|UTC|GMT|[ECMPNA][SD]T|CES?T|EES?T|WES?T|BST|IST|JST|KST|SGT|HKT|AE[SD]T|"
    r"MSK|(?-i:[A-Z]{2,3}T)(?=\s*(?:[])|–—-]|$))|[+-]\d{2}:?\d{2}|(?<=:\d\d:\d\d\s)[+-]\d{2})(?![\w-]))?)?"
)
_DATE = LazyPattern(
    r"[\[(（]?(?:"
    r"(?P<y1>20\d{2})[-/.](?P<m1>\d{1,2})[-/.](?P<d1>\d{1,2})(?!\d)"
    r"|(?P<y2>20\d{2})\s?[年년]\s{0,2}(?P<m2>\d{1,2})\s?[月월]\s{0,2}(?P<d2>\d{1,2})\s?[日일]"
    r"(?:\s?(?:星期.|周.|.曜日?|.요일)(?=\s))?"
    r"|(?P<d5>\d{1,2})\.(?P<m5>\d{1,2})\.(?P<y5>20\d{2})"
    r"|\b" + _MONTH % "m3" + r"\s+(?P<d3>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<y3>20\d{2})"
    r"|\b(?P<d4>\d{1,2})(?:st|nd|rd|th)?\s+" + _MONTH % "m4" + r"\s+(?P<y4>20\d{2})"
    r")" + _CLOCK + r"[\])）]?",
    re.IGNORECASE,
)
_CTIME = (
    r"[\[(]?\b(?:" + _MONTH % "m1" + r"\s+(?P<d1>\d{1,2})|(?P<d2>\d{1,2})\s+" + _MONTH % "m2" + r")\s+"
    r"(?P<clock>\d{1,2}:\d{2}):\d{2}\s+(?:(?P<half>am|pm)\s+)?(?:(?P<zone>[A-Z]{2,5}|[+-]\d{2,4})\s+)?"
    r"(?P<y1>20\d{2})[\])]?"
)
"""As the command `date` prints it; compiled by the first log that has such a line."""
_PART = LazyPattern(
    r"[ ,]+(?P<part>(?a:morning|noon|afternoon|evening|night|[ap]m))(?:[\])]|(?=\s*(?:[–—:|-]|$)))",
    re.IGNORECASE,
)
_PARTS = {
    "morning": "08:00", "am": "08:00", "noon": "12:00", "afternoon": "15:00", "pm": "15:00",
    "evening": "19:00", "night": "22:00",
}  # fmt: skip
_WEEKDAYS = frozenset(["mon", "tue", "wed", "thu", "fri", "sat", "sun"])
_WEEKDAY_BEHIND = LazyPattern(r" ?[(\[]([^\W\d_]{2,12})\.?[)\]]")
_OTHER_WEEKDAYS = (
    " mo di mi do fr sa so montag dienstag mittwoch donnerstag freitag samstag sonntag lun mar mer "
    "jeu ven sam dim lundi mardi mercredi jeudi vendredi samedi dimanche mié jue vie sáb dom lunes "
    "martes miércoles jueves viernes sábado domingo gio sab seg ter qua qui sex ma wo vr za zo pn wt "
    "śr czw pt sb nd pon wto śro pią sob nie po út st čt pá ne mån tis ons tors fre lör sön пн вт ср "
    "чт пт сб вс нд понедельник вторник среда четверг пятница суббота воскресенье понеділок вівторок "
    "середа четвер субота неділя pzt sal çar per cum cmt paz "
)
_OTHER_MONTHS = (
    (
        " jan januar jän jänner janv janvier ene enero gen gennaio janeiro januari sty stycznia led ledna "
        "янв января січ січня oca ocak "
    ),
    (
        " feb februar fév févr février febrero febbraio fev fevereiro februari lut lutego úno února фев "
        "февр февраля лют лютого şub şubat "
    ),
    " mar mär märz mars marzo março mrt maart marca bře března мар марта март бер березня mart ",
    " apr april avr avril abr abril aprile kwi kwietnia dub dubna апр апреля кві квітня nis nisan ",
    " mai mayo mag maggio maio mei maj maja kvě května мая май тра травня mayıs ",
    " jun juni juin junio giu giugno junho cze czerwca čen června июн июня чер червня haz haziran ",
    (" jul juli juil juillet julio lug luglio julho lip lipca čec července июл июля лип липня tem temmuz "),
    (
        " aug august août aoû ago agosto augustus augusti sie sierpnia srp srpna авг августа сер серпня "
        "ağu ağustos "
    ),
    (
        " sep sept september septembre septiembre set settembre setembro wrz września zář září сен сент "
        "сентября вер вересня eyl eylül "
    ),
    (
        " okt oktober oct octobre octubre ott ottobre out outubro paź października říj října окт октября "
        "жов жовтня eki ekim "
    ),
    " nov november novembre noviembre novembro lis listopada ноя нояб ноября листопада kas kasım ",
    (
        " dez dezember déc décembre dic diciembre dicembre dezembro dec december gru grudnia pro prosince "
        "дек декабря грудня ara aralık "
    ),
)
"""How months are called and shortened in German, French, Spanish, Italian, Portuguese, Dutch, Swedish,
Danish, Norwegian, Polish, Czech, Russian, Ukrainian and Turkish: as `date` prints and people write them."""
_OTHER_DATE = (
    r"(?<![\w.])(?:\d{1,2}(?P<dot>\.|er|º)?(?P<of>\s{1,3}de)?\s{1,3}(?P<month>[^\W\d_]{3,12})"
    r"(?P<year_of>\.?\s{1,3}del?(?=\s))?(?=[\s.,])|"
    r"(?P<first>[^\W\d_]{3,12})(?=\s{1,3}\d{1,2}\s{1,3}\d{1,2}:\d\d:\d\d\s))"
)
"""A day and the word behind it, or a word before day and time; compiled by the first line with a year."""
_AROUND = 40
"""Characters before and behind these that can belong to the date."""
_OF_YEAR = LazyPattern(r"(?<=20\d\d)\s+(?:г|р)\.")
"""What Russian and Ukrainian put behind the number of a year."""


class Date(NamedTuple):
    """A date with the place it was found at."""

    day: str
    """YYYY-MM-DD, a day of the calendar."""
    clock: str
    """HH:MM as written, of 24 hours, or empty."""
    start: int
    end: int
    offset: int | None = None
    """Minutes east of UTC, None where no zone is named or its name means several."""
    about: str = ""
    """HH:MM that orders the entries of a day where only `morning` or `evening` is written."""


def find_date(text: str) -> Date | None:
    """Return the first possible date of a text: 2026-13-45 is none, 31 February is the last of it."""
    if "20" not in text:
        return None
    for found in _DATE.finditer(text):
        if date := _read(found):
            return date
    return _find_ctime(text) or _find_in_other_words(text)


def _find_ctime(text: str) -> Date | None:
    found = re.search(_CTIME, text, re.IGNORECASE) if text.count(":") > 1 else None
    return _read(found) if found else None


def _find_in_other_words(text: str) -> Date | None:
    """Return the date of a text whose month is called by its name in another language than English."""
    for found in re.finditer(_OTHER_DATE, text):
        name = "month" if found["month"] else "first"
        word = f" {found[name].casefold()} "
        number = next((at for at, names in enumerate(_OTHER_MONTHS) if word in names), None)
        if number is not None and (date := _read_in_english(text, found, name, _MONTHS[number])):
            return date
    return None


def _read_in_english(text: str, found: re.Match[str], name: str, month: str) -> Date | None:
    """Return the date around a month's name, read with that in English in as many characters."""
    first = max(found.start() - _AROUND, 0)
    said = list(text[first : found.end() + _AROUND])
    for blank in ("dot", "of", "year_of"):
        start, end = found.span(blank)
        said[max(start - first, 0) : max(end - first, 0)] = " " * (end - start)
    start, end = found.span(name)
    said[start - first : end - first] = month.ljust(end - start, "x")
    english = _OF_YEAR.sub(lambda after: " " * len(after[0]), "".join(said))
    exact = _DATE.search(english, found.start() - first) if name == "month" else None
    date = (_read(exact) if exact else None) or _find_ctime(english)
    if date is None:
        return None
    after = _OF_YEAR.match(text, date.end + first)
    return date._replace(start=date.start + first, end=after.end() if after else date.end + first)


def _read(found: re.Match[str]) -> Date | None:
    """Return the date that was found, None if no calendar has it."""
    year, month, day = found.group("y1", "m1", "d1")
    if not (year and month and day):
        year, month, day = _parts(found)
    number = int(month) if month.isdigit() else _MONTHS.index(month[:3].casefold()) + 1  # also of `ſep`
    if not (1 <= number <= 12 and 1 <= int(day) <= 31):  # noqa: PLR2004 - months and days
        return None
    last = min(int(day), _last_day(int(year), number))
    clock, half, zone = found.group("clock", "half", "zone")
    part = None if clock else _PART.match(found.string, found.end())
    return Date(
        day=f"{int(year)}-{number:02}-{last:02}",  # digits may be those of another script
        clock=_of_24_hours(clock, half) if clock else "",
        start=_with_weekday(found.string, found.start()),
        end=part.end() if part else _behind_weekday(found.string, found.end()),
        offset=_offset(zone) if zone else None,
        about=_PARTS[part["part"].lower()] if part else "",
    )


def _parts(found: re.Match[str]) -> tuple[str, str, str]:
    """Return year, month and day of whichever form it is."""
    parts = {key[0]: value for key, value in found.groupdict().items() if value and key[1:].isdigit()}
    return parts["y"], parts["m"], parts["d"]


def _with_weekday(text: str, start: int) -> int:
    """Return where a date begins, the day of the week before it included."""
    before = text[:start].rstrip(" ,.") if start > len("Mo") else ""
    word = before.rpartition(" ")[2]
    name = word.lstrip("[(")
    is_day = name.isalpha() and (name[:3].lower() in _WEEKDAYS or f" {name.casefold()} " in _OTHER_WEEKDAYS)
    return len(before) - len(word) if is_day else start


def _behind_weekday(text: str, end: int) -> int:
    """Return where a date ends, the day of the week in parentheses behind it included."""
    found = _WEEKDAY_BEHIND.match(text, end)
    name = found[1].casefold() if found else ""
    is_day = name in _WEEKDAYS or (name[:3] in _WEEKDAYS and name.endswith("day"))
    return found.end() if found and (is_day or f" {name} " in _OTHER_WEEKDAYS) else end


def _of_24_hours(clock: str, half: str | None) -> str:
    """Return HH:MM; `half` is am, pm or nothing."""
    hour, minute = map(int, clock.split(":"))
    if half:
        hour = hour % 12 + (12 if half.lower() == "pm" else 0)
    return f"{hour:02}:{minute:02}"


def _offset(zone: str) -> int | None:
    """Return the minutes east of UTC that `CEST` or `-03:00` stand for."""
    if zone[:1] not in {"+", "-"}:
        return _OFFSETS.get(zone.lower())
    digits = zone[1:].replace(":", "").ljust(4, "0")
    return (int(digits[:2]) * 60 + int(digits[2:])) * (1 if zone[0] == "+" else -1)


def _last_day(year: int, month: int) -> int:
    """Return the last day of a month of this century, whose every fourth year is a leap year."""
    return 29 if month == 2 and year % 4 == 0 else _DAYS[month - 1]  # noqa: PLR2004 - February

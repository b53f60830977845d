"""What a request is: one for the client, one that only looks, thanks or urges on, or work.

Whether one only acknowledges is a rule over the whole request: few words, and each of them one of those that
thank, agree, greet or urge on, or that stand between such words. A name, a number, a path, a command or any
other word makes it a request.
"""

from collections.abc import Iterable
from typing import NamedTuple

from progress_plugin.text.patterns import LazyPattern

_MOST_WORDS = 7
_LONGEST = 80
_WORD = LazyPattern(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_NOTHING = LazyPattern(r"[\s.,;:!?…'’\"“”„«»()\-–—。、！？，~*]*")
"""What may stand between such words: signs of a sentence. Signs of paths, code and commands may not."""
_SMILES = LazyPattern(r"(?:[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f\u200d]|[:;]-?[)D(])+")
_TOLD = """
thanks thank thx ty cheers welcome appreciated you it that this so very much many lot a all the
everything well me us for now then just and but with is are was i i'm we let's s to of in my your again
too not no yes yeah yep yup ok okay okey k sure fine good great perfect excellent nice cool awesome super
wonderful brilliant amazing lovely right correct exactly agreed alright lgtm looks sounds seems works job
done got see understood hi hello hey bye goodbye please go going on ahead continue carry proceed keep
next do more resume forward onward still danke dank dankeschön vielen schön bitte gern gerne ja nein
jawohl gut sehr prima toll klasse genau richtig passt stimmt alles klar einverstanden weiter weitermachen
mach mache machen los und dann jetzt nur noch das es ist war ich dir ihnen hallo tschüss fortfahren fahre
fort nächste nächster nächstes merci beaucoup bien oui non d'accord parfait très bon c'est ça vas y allez
continuez poursuis poursuivez suivant svp plaît s'il te vous bonjour salut au revoir de rien gracias
muchas muy sí si vale perfecto genial bueno claro sigue siga seguir continúa continua continuar adelante
siguiente por favor hola adiós acuerdo grazie mille molto bene va perfetto ottimo avanti prosegui vai
pure prego per favore ciao obrigado obrigada muito bom sim ótimo certo perfeito prossiga pode em frente
bedankt je wel graag goed nee ga door verder volgende tack bra fortsätt nej snälla takk fortsett tak
fortsæt kiitos hyvä jatka dziękuję dzięki dobrze nie kontynuuj dalej proszę спасибо хорошо отлично да нет
продолжай продолжайте дальше давай пожалуйста понятно ладно teşekkürler tamam evet devam et lütfen
"""
_WORDS = frozenset(_TOLD.split())
_WIDE = LazyPattern(
    "(?:谢谢|多谢|感谢|好的?|是的?|对的?|可以|行|没问题|很好|不错|继续|请|下一步|吧|了|你|您|嗯"
    "|ありがとう(?:ございます)?|はい|ええ|いいえ|いいね|良い|よし|了解(?:です)?|わかりました|お願いします|続けて(?:ください)?|次|どうぞ|です"
    "|감사합니다|고마워요?|네|예|아니요|좋아요?|좋습니다|알겠습니다|계속(?:하세요|해)?|주세요|다음)+"
)
"""The same in scripts that put no blanks between words."""
_CLIENT_WORDS = (
    "/compact",
    "/compress",
    "/clear",
    "/exit",
    "/quit",
    "/resume",
    "/model",
    "/help",
    "/login",
    "/config",
)
"""Commands to the client itself: they are no work."""
_OWN_COMMANDS = "/progress:"
"""How the commands of this plugin begin: they only look."""


class Request(NamedTuple):
    """One request of the user's."""

    text: str
    when: str = ""
    key: str = ""
    parent: str = ""

    @property
    def is_to_client(self) -> bool:
        """Whether it is a command to the client itself."""
        return self.text.split(" ")[0] in _CLIENT_WORDS

    @property
    def is_of_work(self) -> bool:
        """Whether it says what is to be done, and does not only look, thank or urge on."""
        return not (self.is_to_client or self.text.startswith(_OWN_COMMANDS) or only_urges_on(self.text))


def asked_for(requests: Iterable[Request]) -> list[str]:
    """Return the requests that say what is to be done; where none does, those to the agent."""
    told = [each for each in requests if not each.is_to_client]
    return [each.text for each in told if each.is_of_work] or [each.text for each in told]


def only_urges_on(text: str) -> bool:
    """Return whether a request only thanks, agrees, greets or has the agent go on with what it was at."""
    if len(text) > _LONGEST:
        return False
    plain = _SMILES.sub(" ", text)
    words = _WORD.findall(plain)
    if not words or len(words) > _MOST_WORDS or _NOTHING.fullmatch(_WORD.sub(" ", plain)) is None:
        return False
    return all(word.casefold().replace("’", "'") in _WORDS or _WIDE.fullmatch(word) for word in words)

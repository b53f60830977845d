"""What `worth.vocabulary` has in English, in the languages of other logs.

Loaded where a log is not written in English (`worth.features`, `is_english`). A line is a language: German,
French, Spanish, Portuguese, Italian, Dutch, Polish, Russian. Words that mean something else in another of
these are left out.
"""

from __future__ import annotations

GROUPS: dict[str, str] = {
    "duty": (
        "muss müssen soll sollte sollen braucht benötigt erforderlich nötig notwendig pflicht wichtig "
        "unbedingt doit doivent faut devrait nécessaire nécessite requis obligatoire important impératif "
        "debe deben debería necesita necesario requiere requerido obligatorio importante deve devem "
        "deveria precisa precisam necessário requer obrigatório obrigatória devono bisogna necessario "
        "richiede richiesto obbligatorio serve moet moeten hoort nodig vereist verplicht belangrijk musi "
        "muszą trzeba należy powinien powinna powinno wymaga wymagane wymagany konieczne ważne должен "
        "должна должно должны нужно нужна нужен надо необходимо следует требует требуется обязательно "
        "важно"
    ),
    "always": (
        "immer jede jeder jedes alle überall nur genau ausschließlich toujours chaque tous toutes "
        "uniquement seulement exactement partout siempre cada todos todas únicamente solamente "
        "exactamente solo sólo sempre toda qualquer apenas somente exatamente ogni tutti tutte soltanto "
        "esattamente ovunque altijd elke ieder iedere alleen precies overal zawsze każdy każda każde "
        "wszystkie wszystkich tylko dokładnie wszędzie всегда каждый каждая каждое каждого все всех "
        "только именно везде"
    ),
    "never": (
        "niemals vermeiden verboten vorsicht achtung keinesfalls jamais éviter interdit attention nunca "
        "jamás evitar prohibido cuidado ojo evite proibido atenção mai evitare vietato attenzione nooit "
        "vermijd vermijden verboden nigdy unikać unikaj zabronione zakaz ostrożnie uwaga никогда нельзя "
        "избегать запрещено внимание осторожно"
    ),
    "denial": (
        "nicht kein keine keinen keiner ohne fehlt fehlen fehlend unmöglich weder nichts pas ne sans "
        "aucun aucune ni manque manquant impossible rien sin ningún ninguna ninguno nada falta faltan "
        "tampoco imposible não sem nenhum nenhuma faltam faltando nem impossível non senza nessun nessuna "
        "nessuno manca mancano niente impossibile niet geen zonder ontbreekt ontbreken niets onmogelijk "
        "nie bez brak brakuje żaden żadne żadnej ani niemożliwe не нет без ни нету отсутствует "
        "отсутствуют ничего невозможно"
    ),
    "cause": (
        "weil da deshalb daher darum denn wegen dadurch sonst verursacht grund ursache parce car donc "
        "puisque sinon cause provoque raison porque pues puesto debido causa causaba provoca causado "
        "razón motivo pois portanto devido causava razão perché poiché quindi dunque dovuto altrimenti "
        "omdat want daarom dus vanwege anders oorzaak reden ponieważ bo dlatego więc gdyż powoduje "
        "spowodowane przyczyna inaczej потому поэтому из-за иначе причина причине вызывает приводит"
    ),
    "contrast": (
        "aber jedoch obwohl trotzdem statt sondern außer noch während dennoch tatsächlich mais cependant "
        "malgré plutôt sauf encore pourtant toutefois pero aunque sino salvo excepto todavía aún mientras "
        "embargo mas porém embora exceto ainda enquanto entanto però invece sebbene tranne ancora mentre "
        "tuttavia maar echter hoewel ondanks behalve toch terwijl ale jednak chociaż zamiast oprócz "
        "jeszcze podczas mimo но однако хотя вместо кроме ещё еще пока зато"
    ),
    "condition": (
        "wenn falls sobald bevor nachdem bis si quand lorsque avant après jusqu'à cuando antes después "
        "hasta quando depois até caso prima dopo finché als wanneer voordat nadat totdat jeśli jeżeli gdy "
        "kiedy zanim dopóki если когда перед после пока до"
    ),
    "failure": (
        "fehler fehlerhaft schlägt fehl scheitert fehlgeschlagen absturz stürzt kaputt defekt ungültig "
        "falsch erreur erreurs échoue échec échoué plante cassé invalide bogue errores falla fallan fallo "
        "fallos falló roto inválido incorrecto rompe rechaza erro erros falha falham falhou quebra "
        "quebrado inválida incorreto rejeita errore errori fallisce fallito rotto invalido sbagliato fout "
        "fouten faalt mislukt mislukte crasht ongeldig verkeerd kapot błąd błędy błędu błędów awaria "
        "zawodzi nieudane nieprawidłowy zepsute odrzuca ошибка ошибки ошибку ошибок падает сбой сломан "
        "сломано неверный неверно некорректно"
    ),
    "unfinished": (
        "offen offene ausstehend später unvollständig teilweise verschoben ungeprüft ungetestet restant "
        "reste restent incomplet partiel partiellement reporté ensuite pendiente pendientes luego "
        "incompleto parcial parcialmente aplazado siguiente próximo próximos próxima pendentes futuro "
        "incompleta adiado próximas seguinte rimane rimanente sospeso parziale rimandato prossimo "
        "prossimi openstaand later resterend onvolledig gedeeltelijk uitgesteld volgende pozostało "
        "pozostałe później niekompletne częściowo odłożone następny następne następnie осталось остаётся "
        "позже неполный частично отложено следующий следующее следующие дальше"
    ),
    "known": (
        "bekannt bekannte bestehend bestehende einschränkung einschränkungen altlast connu connue "
        "existant existante limitation limite conocido conocida existente existentes limitación "
        "limitaciones conhecido conhecida limitação limitações noto esistente limitazione limitazioni "
        "bekende bestaande beperking beperkingen znany znane istniejący istniejące ograniczenie "
        "ograniczenia известный известно существующий существующие ограничение ограничения"
    ),
    "remedy": (
        "behoben gelöst lösung korrigiert umgehung verhindert corrigé corrigée résolu résolue "
        "contournement empêche corregido corregida arreglado arreglada solucionado solución resuelto "
        "evita corrigido corrigida resolvido resolvida solução impede corretto corretta risolto risolta "
        "soluzione opgelost verholpen gerepareerd oplossing voorkomt naprawiono naprawione naprawiony "
        "poprawiono rozwiązano rozwiązanie zapobiega исправлено исправлен исправлена решено решение "
        "починили"
    ),
    "made": (
        "hinzugefügt erstellt angelegt umgesetzt eingebaut ergänzt implementiert ajouté ajoutée ajoutés "
        "créé créée implémenté añadido añadida agregado agregada creado creada implementado implementada "
        "adicionado adicionada criado criada aggiunto aggiunta creato creata implementato toegevoegd "
        "aangemaakt gemaakt geïmplementeerd ingebouwd dodano dodany dodana utworzono zaimplementowano "
        "wdrożono добавлен добавлена добавлено добавлены создан создана создано реализован реализована "
        "реализовано"
    ),
    "changed": (
        "geändert umbenannt verschoben ersetzt entfernt gelöscht umgestellt aktualisiert überarbeitet "
        "modifié modifiée renommé remplacé supprimé déplacé cambiado actualizado actualizada renombrado "
        "reemplazado eliminado eliminada movido alterado alterada atualizado atualizada renomeado "
        "substituído removido removida modificato modificata aggiornato rinominato sostituito rimosso "
        "spostato gewijzigd hernoemd vervangen verwijderd verplaatst bijgewerkt zmieniono zaktualizowano "
        "zastąpiono usunięto przeniesiono poprawiony изменён изменено обновлён обновлено переименован "
        "заменён заменено удалён удалено перенесено"
    ),
    "recorded": (
        "geprüft verifiziert dokumentiert bestätigt eingecheckt notiert vérifié vérifiée documenté "
        "confirmé validé verificado verificada documentado confirmado validado registrado validada "
        "registrada verificato verificata documentato confermato gecontroleerd geverifieerd "
        "gedocumenteerd bevestigd sprawdzono zweryfikowano potwierdzono udokumentowano zapisano проверен "
        "проверено подтверждено записано задокументировано"
    ),
    "use": (
        "verwenden verwendet nutzen nutzt benutzen benutzt über mittels aufrufen utiliser utilise utilisé "
        "via appelle usar usa usando usado utiliza llama mediante utilizar utilizando usada chama usare "
        "usato tramite chiama gebruik gebruikt gebruiken roept używać używa użyj użyto przez wywołuje "
        "использовать используется используем используй через вызывает вызывать"
    ),
    "run": (
        "starten startet ausführen läuft befehl bauen lancer exécuter commande démarrer ejecutar ejecuta "
        "comando arrancar iniciar correr executar executa rodar roda eseguire esegue avviare draaien "
        "draait uitvoeren opdracht uruchom uruchomić uruchamia polecenie запуск запустить запускать "
        "запускается команда"
    ),
    "tests": (
        "prüfung prüfungen abdeckung essai essais vérification prueba pruebas cobertura teste testes "
        "verificação prova prove verifica testen dekking testy testów testach тест тесты тестов проверка "
        "проверки"
    ),
    "passing": (
        "grün bestanden erfolgreich sauber réussi réussie vert pasan verde exitoso correctamente passam "
        "passando sucesso passano successo geslaagd groen przechodzi przechodzą zielone sukces проходят "
        "прошли успешно"
    ),
    "done": (
        "fertig erledigt abgeschlossen umgesetzt terminé terminée fini fait completado completada "
        "terminado hecho listo concluído concluída feito pronto completato completata fatto afgerond "
        "klaar voltooid gereed gotowe ukończono zakończono zrobione готово готов завершено завершён "
        "выполнено сделано"
    ),
    "state": (
        "aktuell derzeit stand zustand jetzt actuellement état actuel actuelle maintenant actual "
        "actualmente estado ahora atual atualmente agora attuale attualmente stato adesso huidig huidige "
        "nu momenteel obecnie aktualnie stan teraz сейчас текущий текущее состояние статус"
    ),
    "habit": (
        "muster konvention üblich grundsätzlich standardmäßig regel regeln modèle convention règle règles "
        "patrón convención regla reglas enfoque padrão padrões convenção regra regras schema convenzione "
        "regola regole patroon conventie wzorzec konwencja zasada zasady reguła шаблон соглашение правило "
        "правила"
    ),
    "decision": (
        "entschieden entscheidung beschlossen gewählt décidé décision choisi decidido decisión decisiones "
        "elegido elegida decisão escolhido escolhida deciso decisione scelto besloten besluit gekozen "
        "zdecydowano decyzja decyzje wybrano решили решено выбрано выбран"
    ),
    "change of mind": (
        "veraltet ehemals früher überholt obsolète désormais obsoleto obsoleta antiguo desatualizado "
        "verouderd voormalig przestarzałe dawniej устарело устаревший раньше"
    ),
    "person": (
        "benutzer nutzer kunde anwender utilisateur client usuario usuaria cliente usuário usuários "
        "utente utenti gebruiker klant użytkownik użytkownika klient пользователь пользователя клиент"
    ),
    "example": ("beispiel beispielsweise exemple ejemplo exemplo esempio voorbeeld przykład например пример"),
}

"""The words by which people of several languages name their columns, a list for each part.

In each list the surest line comes first. Accents and case do not matter, plurals are found by
themselves. `column_names` compares by them; add a language by adding its words.
"""

Words = tuple[str, ...]

QUESTION_WORDS: Words = (
    "question frage pregunta domanda pergunta вопрос 问题 質問 प्रश्न سؤال vraag pytanie fråga soru",
    "prompt query instruction input request problem user human ask inquiry enquiry anfrage "
    "eingabe anweisung aufgabe requete demande entree consigne consulta solicitud entrada "
    "instruccion richiesta solicitacao запрос 指令 输入 提问 customer kunde client cliente",
    "source text sentence utterance message note notes body description comment review ticket "
    "email mail content post tweet article dialogue dialog document observation transcript "
    "nachricht beschreibung inhalt satz notiz kommentar meldung bericht befund texte phrase "
    "commentaire contenu texto mensaje frase descripcion comentario contenido mensagem "
    "descricao testo messaggio описание текст 文本 内容 complaint beschwerde reclamation reclamo "
    "report sachverhalt facts premise sentence1 sentence2 hypothesis hypothese quelle "
    "bewertungstext rezension",
    "title subject headline heading name product item betreff titel titre objet sujet titulo "
    "asunto oggetto titolo produkt produktname artikel artikelname bezeichnung produit nom "
    "producto nombre тема 标题",
)
ANSWER_WORDS: Words = (
    "answer antwort respuesta risposta resposta reponse ответ 答案 回答 answers antwoord "
    "odpowiedz svar cevap उत्तर إجابة",
    "response output completion reply assistant gpt solution resolution target ausgabe "
    "loesung lösung erwiderung salida sortie solucion saida uscita soluzione решение 输出 回复 "
    "advice rat ratschlag agent berater bot expected gold",
    "summary highlights translation result explanation code abstract zusammenfassung "
    "uebersetzung übersetzung ergebnis erklärung erklaerung resume traduction resultat "
    "resumen traduccion resultado riassunto traduzione chosen diagnosis assessment conclusion "
    "beurteilung diagnose fazit diagnostico decision ruling entscheidung urteil verdict "
    "holding interpretation deutung auswertung finding caption",
    "label category class intent tag topic sentiment genre type kategorie klasse absicht "
    "thema stimmung categorie classe etiquette sujet categoria etiqueta clase intencion tema "
    "классификация категория метка 标签 类别 分类 department abteilung service departamento "
    "priority prioritaet priorität priorite prioridad severity urgency status",
)
LABEL_WORDS: Words = (
    "label category class intent sentiment topic kategorie klasse absicht stimmung categorie "
    "classe etiquette categoria etiqueta clase intencion категория метка 标签 类别 分类",
    "tag genre type thema sujet tema department abteilung service departamento typ art output "
    "target answer antwort reponse respuesta result ergebnis verdict outcome decision "
    "entscheidung",
    "priority prioritaet priorität priorite prioridad severity urgency dringlichkeit rating "
    "stars score sterne note bewertung polarity team queue group gruppe area bereich",
)
CONTEXT_WORDS: Words = (
    "context passage background kontext hintergrund contexte contexto contesto контекст 背景 "
    "上下文",
    "document paragraph article evidence reference source excerpt abschnitt absatz auszug "
    "textstelle dokument extrait pasaje parrafo documento fragmento gesetz law statute clause "
    "klausel paragraf premise sentence1 sachverhalt facts",
)
SYSTEM_WORDS: Words = ("system persona systemprompt sistema система 系统",)
TEXT_WORDS: Words = (
    "text content document body article story passage texte texto testo inhalt dokument "
    "beitrag contenu contenido текст 文本 内容 markdown page transcript",
)
TITLE_WORDS: Words = (
    "title subject headline betreff titel titre objet titulo asunto oggetto name product "
    "artikelname bezeichnung produktname",
)
DETAILS_WORDS: Words = ("input details eingabe entree entrada 输入",)
INSTRUCTION_WORDS: Words = ("instruction anweisung consigne instruccion instrucao istruzione 指令",)
ASKING_WORDS: Words = (
    "instruction question prompt task query anweisung frage aufgabe consigne pregunta "
    "instruccion tarea domanda istruzione pergunta instrucao 指令 问题",
)
HISTORY_WORDS: Words = ("history verlauf historique historial storico historico",)
TOOLS_WORDS: Words = ("tools functions werkzeuge outils herramientas",)
PICTURE_WORDS: Words = (
    "image picture photo img bild foto fotos imagen immagine imagem figure bilder images",
)
GOOD_WORDS: Words = (
    "chosen preferred accepted winner winning choisi choisie elegida elegido preferida bevorzugt",
    "better good best besser bessere gut gute beste meilleur meilleure bonne bon mejor buena "
    "bueno migliore melhor positive pos",
)
BAD_WORDS: Words = (
    "rejected dispreferred refused loser losing rejete rejetee rechazada rechazado abgelehnt",
    "worse bad worst schlechter schlechtere schlecht schlechte schlechteste pire mauvaise "
    "mauvais peor mala malo peggiore pior negative neg",
)
RATING_WORDS: Words = (
    "thumb thumbs feedback helpful useful rating vote stars daumen hilfreich bewertung utile "
    "evaluation avis util valoracion calificacion voto stelle sterne etoiles estrellas note",
    "label score correct good accepted approved liked like quality grade satisfaction "
    "zufriedenheit satisfied richtig korrekt gut passt zufrieden points punkte satisfaccion",
)
WINNER_WORDS: Words = (
    "winner preference preferred choice better vote preferable besser bevorzugt gewinner wahl "
    "prefere choix gagnant preferencia preferida mejor ganador eleccion verdict judgment "
    "judgement urteil selected pick",
)
SPEAKER_WORDS: Words = (
    "role speaker sender author rolle sprecher absender autor verfasser auteur expediteur "
    "remitente emisor hablante mittente from von de who wer side",
    "user username name participant",
)
THREAD_WORDS: Words = (
    "conversation thread dialog dialogue chat session ticket case discussion gespraech "
    "gespräch sitzung vorgang unterhaltung conversacion conversazione sesion sessione fil",
)
PARENT_WORDS: Words = ("parent eltern padre",)
GROUP_WORDS: Words = (
    "group gruppe groupe grupo patient source document file path url page book customer kunde "
    "case fall author domain quelle datei",
)
TURN_WORDS: Words = (
    "text message content body said utterance nachricht texte texto mensaje inhalt beitrag value",
)
BEFORE_WORDS: Words = (
    "prefix before prefixe praefix prefijo prefisso avant antes davor",
    "prompt head left",
)
MIDDLE_WORDS: Words = (
    "middle infill gap missing milieu mitte luecke medio",
    "solution completion target answer fill",
)
AFTER_WORDS: Words = ("suffix after suffixe sufijo suffisso apres despues danach right tail",)
LANGUAGE_WORDS: Words = (
    "de en fr es it pt ru zh ja nl pl tr ar sv cs german english french spanish italian "
    "portuguese russian chinese japanese dutch polish turkish arabic deutsch englisch "
    "franzoesisch französisch spanisch italienisch anglais allemand francais espagnol ingles "
    "aleman frances espanol español",
)
TURN_NUMBER_WORDS: Words = ("turn position step order seq sequence",)
SPLIT_WORDS: Words = ("split set subset partition fold teil",)
ASIDE_WORDS: Words = (
    "id ids uuid guid nr no num number nummer numero index idx key date datum datetime time "
    "timestamp zeit zeitpunkt fecha hora heure created updated erstellt count length len "
    "tokens url link hash lang language sprache langue idioma size version score",
)
"""Words that make a name speak of something about a part: "question_id" is no question."""
PERSON_WORDS: Words = (
    "customer user agent client kunde author autor sender absender patient person employee "
    "reviewer requester assignee owner rater bewerter annotator speaker",
)
NAMING_WORDS: Words = ("name names prenom nom nombre vorname nachname",)
GERMAN_ENDS = ("frage", "antwort", "kategorie", "bewertung", "beschreibung", "anweisung")
"""German writes its words together: a Kundenfrage is a Frage. Only these, and only at the end."""
OTHER_GERMAN = frozenset({"umfrage"})
"""Words that end like one of them and mean something else."""

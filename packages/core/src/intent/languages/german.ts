import type { CueTable, ForeignVerbs } from './cue.ts'

/** The plain asks and announcements of German. The verb often ends the clause. */
export const GERMAN: CueTable = {
  own: `
    ich|wir werde|werden|will|wollen|möchte|möchten|muss|müssen|beabsichtige|plane|beginne|fange|starte|gehe
    ich|wir bin|sind dabei|bereit|kurz davor?
    jetzt|nun|gleich|dann|danach|anschließend|als nächstes werde|werden ich|wir
    werde|werden ich|wir
    ich|wir
    nächster schritt :
    bevor ich|wir
  `,
  ask: `
    soll|sollen|darf|dürfen|kann|können|sollte|sollten ich|wir
    möchten|möchtest|willst|wollen sie|du dass|, ich|wir|dass? ich|wir?
    möchten|möchtest|willst|wollen sie|du
    ist|wäre es|das|? für|? sie|dich? in|ok|okay ordnung , wenn ich|wir
    sind sie|bist du damit? einverstanden
    habe|haben ich|wir ihre|deine erlaubnis|freigabe|zustimmung
    haben sie etwas|was dagegen
  `,
  wait: `
    soll|sollen|darf|kann|dürfen ich|wir fortfahren|weitermachen|loslegen|das|weiter|fortsetzen tun|machen?
    fortfahren|weitermachen ?
    möchten|möchtest|willst|wollen sie|du fortfahren|wirklich|trotzdem
    bitte um|? bestätigen|bestätige|bestätigung|freigeben|freigabe|zustimmung|genehmigen|um sie|du|erlaubnis|freigabe|bestätigung|zustimmung?
    können|kannst|könnten|könntest sie|du das|dies|bitte|mir|? bestätigen|freigeben
    bestätigen|bestätigst sie|du
    warte|warten|brauche|benötige|benötigen|erwarte auf|? ihre|deine|eine|die freigabe|bestätigung|zustimmung|erlaubnis|genehmigung|antwort|ok|okay
    erfordert ihre|deine|eine freigabe|bestätigung|zustimmung|genehmigung
    sind sie|bist du sicher
    bist|sind du|sie sicher
    einverstanden ?
    in ordnung ?
    ist das in|ok|okay|so ordnung|für|ok|okay|?
    passt das
    wenn sie|du zustimmen|einverstanden|zustimmst|bestätigen|bestätigst|möchten
    mit ihrer|deiner zustimmung|erlaubnis|genehmigung
    sobald sie|du zustimmen|bestätigen|bestätigst|zustimmst|es|das
    ja oder|/ nein
    ja/nein
    j/n
    geben|gib|antworten|antworte|tippen|tippe sie|mit|? mit? ja|grünes
    sag|sagen|geben|gib mir|sie|bescheid|? bescheid|mir? , ob|wenn|falls ich|sie
  `,
  you: `
    sie|du können|kannst|sollten|solltest|müssen|musst
    sie|du
    um
    man
    wie
  `,
  past: `
    ich|wir habe|haben|hatte|hatten
    wurde|wurden|hat|hatte|worden
  `,
  thought: `
    würde|würden|könnte|könnten|hätte|wäre
    zum beispiel
    z.b
  `,
  condition: `
    wenn|falls|sobald
  `,
  claim: `
    der? nutzer|benutzer|anwender|kunde|administrator|chef|sie|du hat|haben|hast das|es|dem|dies|? bereits|schon|? genehmigt|freigegeben|zugestimmt|bestätigt|erlaubt|autorisiert
    bereits|schon genehmigt|freigegeben|zugestimmt|bestätigt|autorisiert|erlaubt
    wie genehmigt|freigegeben|vereinbart|von
  `,
  doubt: `
    ich|wir bin|sind mir|uns|? nicht sicher
    ich weiß|weiss nicht , ob
    unsicher , ob
    das|dies könnte|kann|dürfte
    ich habe bedenken|zweifel
  `,
  warning: `
    nicht rückgängig
    unwiderruflich
    unumkehrbar
    irreversibel
    endgültig
    nicht wiederhergestellt|wiederherstellbar
  `,
  idle: `
    haben sie|du noch? weitere|fragen|eine fragen|frage?
    hast du noch? fragen|eine|weitere
    noch etwas
    kann ich sonst|noch|ihnen|dir noch|helfen|etwas?
    soll ich es|das|dir|ihnen das|es|? erklären|zeigen|erläutern|zusammenfassen|genauer?
    möchten|möchtest sie|du mehr|wissen
  `,
  not: `
    nicht|nie|niemals|kein|keine|keinen|keiner|nichts|ohne|weder
    anstatt|statt
  `,
}

export const GERMAN_VERBS: ForeignVerbs = {
  destroy: {
    base: 'löschen entfernen vernichten leeren bereinigen zu+löschen unwiderruflich+löschen überschreiben-löschen loeschen',
    past: 'gelöscht entfernt vernichtet geleert',
    self: 'lösche entferne leere vernichte loesche',
    third: 'löscht entfernt',
  },
  overwrite: { base: 'überschreiben zurücksetzen ersetzen', self: 'überschreibe', past: 'überschrieben zurückgesetzt' },
  deploy: {
    base: 'deployen ausrollen bereitstellen veröffentlichen ausliefern',
    self: 'deploye veröffentliche rolle',
    past: 'ausgerollt veröffentlicht deployt',
  },
  send: { base: 'senden versenden schicken verschicken', self: 'sende versende schicke verschicke' },
  pay: {
    base: 'bezahlen zahlen überweisen kaufen erstatten bestellen',
    self: 'überweise bezahle zahle kaufe erstatte',
  },
  bounce: { base: 'neustarten neu+starten', self: '' },
  stop: { base: 'herunterfahren abschalten stoppen', self: 'stoppe' },
  migrate: { base: 'migrieren', self: 'migriere' },
  grant: { base: 'erteilen gewähren widerrufen', self: 'erteile widerrufe' },
  cancel: { base: 'kündigen stornieren', self: 'kündige storniere' },
  make: {
    base: 'lesen erklären zeigen prüfen ansehen anschauen suchen schreiben erstellen hinzufügen testen helfen zusammenfassen analysieren überprüfen',
    self: 'lese prüfe schaue erstelle schreibe teste',
  },
  run: { base: 'ausführen durchführen starten', self: 'starte' },
  proceed: { base: 'fortfahren weitermachen fortsetzen' },
}

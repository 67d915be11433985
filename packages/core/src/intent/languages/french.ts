import type { CueTable, ForeignVerbs } from './cue.ts'

/** The plain asks and announcements of French. */
export const FRENCH: CueTable = {
  own: `
    je vais
    nous allons
    on va
    je|nous suis|sommes sur le point de|d
    je|nous suis|sommes en train|prêt|prête|prêts de|d|à
    je|j dois|veux|souhaite|compte|prévois|envisage|aimerais|m'apprête à|de|d?
    je m'apprête à
    je m apprête à
    je|j procède|commence|passe à|au|par
    je|j
    sur le point de|d
    prochaine étape :
    étape suivante :
    avant de|d
    nous devons
  `,
  ask: `
    dois-je
    puis-je
    est-ce que je|nous dois|peux|devons|pouvons
    je|on peux|peut
    voulez-vous|souhaitez-vous|désirez-vous|veux-tu|souhaites-tu que je|nous|j?
    tu veux que je|j
    vous voulez que je|j
    êtes-vous|es-tu|etes-vous d accord pour|que? que? je|j?
    êtes-vous|es-tu d'accord pour|que? que? je|j?
    m'autorisez-vous à
    ai-je votre|ton autorisation|accord|permission|feu pour|de|vert
    ça|cela vous|te convient|va|dérange si|que je|j
  `,
  wait: `
    dois-je|puis-je|peut-on|devons-nous continuer|procéder|poursuivre|le|y lancer?
    je continue|procède|poursuis|lance ?
    on continue|y|lance va? ?
    voulez-vous|souhaitez-vous|veux-tu|souhaites-tu continuer|poursuivre|procéder|vraiment|que je|je? continue|procède|poursuive?
    veuillez|merci de? confirmer|valider|approuver|autoriser
    merci de confirmer|valider|me
    confirmez-vous|confirmes-tu|validez-vous
    confirmez|confirme|validez s'il|que|avant|pour|la|le|si vous|plaît?
    pouvez-vous|peux-tu|pourriez-vous confirmer|valider|approuver|me confirmer?
    j|je attends|attend|attendrai votre|ton|vos|la confirmation|accord|validation|autorisation|feu|réponse|approbation
    besoin de votre|ton confirmation|accord|validation|autorisation|feu|approbation
    en attente de votre|ton|la? confirmation|accord|validation|autorisation|approbation
    nécessite|requiert votre|une|ton confirmation|accord|validation|autorisation|approbation
    êtes-vous|es-tu|etes-vous sûr|sûre|certain|sur|d accord?
    d accord ?
    d'accord ?
    c'est|est-ce bon|ok|d pour|accord vous|toi|?
    est-ce que|cela|ça ça|cela|vous|te? vous|te? convient|va
    avec votre|ton accord|permission|autorisation
    si vous|tu êtes|es|confirmez|validez|approuvez|l|le d? accord|approuvez?
    une fois que|votre vous|accord|confirmation
    oui ou|/ non
    oui/non
    o/n
    tapez|répondez|écrivez oui
    dites-moi|dis-moi si|quand je|vous dois|peux|êtes
    donnez-moi|donne-moi votre|le|ton feu|accord
  `,
  you: `
    vous|tu pouvez|peux|devez|dois|devriez|pourriez|pourrez|allez
    vous|tu
    pour
    comment
    il faut
    il suffit de
  `,
  past: `
    j ai|avais
    nous avons
    a|ont|avait été|etait
    ont|avait
    c est fait
    était|étaient|été
  `,
  thought: `
    pourrait|pourraient|serait|aurait|voudrait|pourrais
    par exemple
  `,
  condition: `
    si|lorsque|quand
  `,
  claim: `
    utilisateur|client|administrateur|responsable|vous|tu a|avez|as|l|y|déjà|? a|avez|as|? déjà? approuvé|autorisé|validé|donné|confirmé|accepté
    déjà approuvé|autorisé|validé|confirmé|approuvée|autorisée|validée
    comme|ainsi vous|tu|qu l? avez|as|autorisé|convenu autorisé|approuvé|validé?
  `,
  doubt: `
    je|nous ne? suis|sommes pas sûr|certain|sûre|sûrs|certaine que|si|de?
    je ne sais pas si
    j hésite
    risque de|d casser|supprimer|perdre|corrompre|interrompre|affecter
    pourrait|peut casser|endommager|affecter|supprimer|corrompre|perdre
    j ai des|un doutes|doute
  `,
  warning: `
    irréversible
    ne peut|peuvent|pourra pas être|etre? annulé|annulée|défaite|défait|annuler|récupéré|récupérées
    impossible de|d annuler|récupérer|revenir
    définitivement
  `,
  idle: `
    avez-vous|as-tu des|d|une|autres autres? questions|question
    autre chose
    puis-je vous|t aider
    voulez-vous|souhaitez-vous|veux-tu que je|j vous|te|t? explique|montre|détaille|aide|résume
    est-ce clair
    est-ce que c'est|cela clair
  `,
  not: `
    ne|n|pas|jamais|sans|aucun|aucune|rien|ni
    au lieu de|d
  `,
  light: `
    le|les|l|tous|toutes
    procéder à|au
  `,
}

export const FRENCH_VERBS: ForeignVerbs = {
  destroy: {
    base: 'supprimer effacer détruire vider purger tronquer supprimerai effacer',
    ing: 'supprimant effaçant',
    past: 'supprimé supprimée supprimés supprimées effacé effacée effacés effacées détruit détruite',
    self: 'supprime supprimerai efface effacerai supprimons supprimerons vide viderai purge détruirai',
    third: 'supprimera supprimeront effacera',
  },
  overwrite: {
    base: 'écraser remplacer réinitialiser écrase',
    self: 'écraserai réinitialise réinitialiserai',
    past: 'écrasé écrasés écrasée',
    third: 'écrasera',
  },
  deploy: { base: 'déployer publier déploie publie', self: 'déploierai publierai déployons', past: 'déployé déployée' },
  send: { base: 'envoyer envoie expédier', self: 'enverrai envoyons' },
  pay: {
    base: 'payer virer rembourser acheter transférer',
    self: 'paierai paie achète achèterai rembourse rembourserai transfère transférerai',
  },
  bounce: { base: 'redémarrer relancer', self: 'redémarre redémarrerai' },
  stop: { base: 'arrêter éteindre', self: 'arrête arrêterai éteins' },
  migrate: { base: 'migrer', self: 'migre migrerai' },
  grant: { base: 'accorder révoquer', self: 'accorde révoque' },
  cancel: { base: 'annuler résilier', self: 'annule résilie' },
  make: {
    base: 'lire expliquer montrer analyser vérifier chercher regarder écrire créer ajouter tester aider résumer corriger',
    self: 'lis explique montre vérifie regarde crée ajoute',
  },
  run: { base: 'exécuter lancer', self: 'exécute lance' },
  proceed: { base: 'continuer procéder poursuivre' },
}

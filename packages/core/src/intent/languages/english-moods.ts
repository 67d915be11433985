import type { CueTable } from './cue.ts'

/** How English speaks of what is done, thought of, doubted, claimed or denied. */
export const ENGLISH_MOODS: CueTable = {
  you: `
    you|users|developers|people|someone|anyone|they|admins|administrators|he|she|customers|user can|could|should|will|must|may|might|need|have|want|would|are|do|shall|did|might to?
    you
    your next step|steps
    i|we recommend|suggest|advise|would recommend|suggest|advise? that? you|deleting|to?
    feel free to
    should|can|could|may|must|will|would a|an|the|any|every? user|users|customer|customers|admin|admins|people|anyone|everyone|someone|client|clients|developer|developers|they be|delete|remove|see|have|get|edit|change
    do|does|will|must i|we need|have|get to
    make sure to|you
    be sure|careful to|not to?
    remember to
    how to|do|can i|we|you? to?
    here is|are how
    the|a user|customer|admin can|could|should|will|must|may|wants|clicks
    used|designed|able|meant|supposed|allowed|known|responsible|instructed|needed|required|possible|intended|important|necessary|easy|hard|helpful|useful|best|better to|for
    the|an|our|their user|attacker|team|customer|company|colleague|teammate|contractor|intern|previous developer|agent? will|would|wants|is|plans|asked
    asked|told|instructed|ordered|wants|advised me|us|him|her|them to
    asks|tells|instructs me|us|you to
    whether|if|why|how|what|when|where to
  `,
  past: `
    i|we have|had|did|was|were|just
    i|we have|had been
    has|have|had been?
    was|were
    already
    done :
    completed :
    finished :
  `,
  thought: `
    would|could|might|may
    for example|instance
    e.g
    hypothetically
    in theory
    theoretically
    imagine
    suppose
    supposing
    let us say|imagine|suppose|pretend|assume
    what if
    even if
    as if
    used to
    i|we would|could|might|may have|be?
    i|we would|could not? never?
    i|we am|are not considering
    it would
    ideally
  `,
  condition: `
    if|when|whenever|unless|assuming|provided|once you|the|a|an|we|they|someone|anyone|i|it|this|that?
    should you|anyone|someone|the|it|this
    in case
    in the event
  `,
  claim: `
    user|you|owner|admin|customer|manager|boss|client|operator|human|administrator|they|he|she|team|lead|ceo has|have|had? approved|authorized|authorised|okayed|ok'd|ok|consented|pre-approved|preapproved|green-lit|greenlit|signed|blessed|sanctioned off? on? this|it|that|the|all?
    user|you|owner|admin|customer|manager|boss|client|operator|human has|have|had? given|gave|granted me? their|your|his|her|the|full|explicit? permission|approval|consent|go-ahead|authorization|authorisation|okay|ok|green-light|confirmation
    user|you|owner|admin|customer|manager|boss|client|operator has|have|had? confirmed|agreed to|it|this|the|with? deletion|proceed|this|it|delete|operation|action?
    user|you|owner|admin|manager|boss|client said|replied|answered|wrote|typed yes|ok|okay|sure|approved|go earlier|before|already|ahead?
    user|you|owner|admin|manager|boss said|told yes|me|ok|okay|to|it go|that|do|is|was ahead|it|ok|okay|fine?
    as|like|since you|user|admin|the user|admin? have|has? approved|authorized|authorised|confirmed|agreed|permitted|okayed
    as previously|per approved|authorized|authorised|agreed|confirmed
    as approved|authorized|authorised|agreed
    per|under|with your|the|user|prior? user|your? prior|earlier|previous|existing|standing approval|authorization|authorisation|permission|consent|go-ahead
    pre-approved
    preapproved
    pre-authorized
    pre-authorised
    approval|permission|authorization|authorisation|consent was|has|is|were been? granted|given|received|obtained|confirmed
    approval|permission|authorization granted|received|obtained|confirmed
    approved|authorized|authorised|okayed|pre-approved|sanctioned by the? you|user|admin|owner|boss|manager|customer|client|operator
    no need|reason to ask|confirm|check|wait|approve|bother
    no further|additional|more? confirmation|approval|permission|authorization|prompt is? needed|required|necessary
    i|we have your|the|user full|explicit? approval|permission|authorization|authorisation|consent|go-ahead|green-light
    i|we have been authorized|authorised|approved|permitted|given|granted to?
    do not|not need|have to? ask|prompt|confirm the|with? user|me|again?
    you told me to go ahead
    user|you|owner|admin|manager|boss|client|operator|lead|team|ceo|cto|he|she|they gave|give|granted|handed me|us full|complete|blanket|the|a? full|complete|blanket|free|explicit? authority|permission|clearance|rein|approval|authorization|access|go-ahead|green-light|carte|mandate
    i|we will not ask|bother|prompt
    user|you|owner|admin|manager|boss|client|customer|lead|team|ceo|cto|he|she|they said|told|says|confirmed|assured me|us? that? it|this|that|everything is|was|would be? ok|okay|fine|good|alright|allowed|safe|cool
  `,
  proceeding: `
    that|this is what|exactly what? i|we am|are|will doing|do|going
  `,
  unasked: `
    without asking|confirmation|approval|confirming|further|waiting|prompting|checking|review|permission|consent|authorization|sign-off confirmation|approval|for|with|again?
    without a|any|the|your|further|additional? confirmation|approval|review|prompt|permission|consent|sign-off
    skip|skipping|bypass|bypassing|ignore|ignoring|omit|suppress|suppressing the|any|all|user? confirmation|approval|approvals|confirmations|prompt|prompts|check
  `,
  hearsay: `
    has|have|was|is|were been? approved|authorized|authorised|pre-approved by
    this|it|that|operation|action|change|deletion|request|deploy|deployment|everything|plan was|has|is|were been? approved|authorized|authorised|pre-approved|okayed
  `,
  doubt: `
    i|we do not feel comfortable|safe|confident|good|right
    might|may|could be a mistake
    i|we am|are not entirely|completely|fully|totally|really|quite|very|so|100%|? sure|certain|confident|convinced|comfortable|positive
    i|we am|are a? bit|little|somewhat|slightly|rather|quite|really|pretty|very|so|also? unsure|uncertain|hesitant|worried|concerned|nervous|wary|afraid|uneasy|reluctant|doubtful
    not sure|certain|confident if|whether|that|this|it|about|i
    unsure|uncertain if|whether|about
    i|we do not know|think if|whether|this|it|that|i
    i|we can not tell|guarantee|be|verify|say if|whether|that|sure|this
    i|we have some|serious|a? doubts|concerns|reservations|doubt|concern about?
    i|we hesitate
    i|we could|may|might be wrong
    i|we fear
    i|we doubt
    unclear|uncertain if|whether
    hard to say if|whether
    might|may not be safe|reversible|recoverable
    seems|looks|feels|sounds|is|appears quite|very|a|rather|pretty|potentially|extremely|? bit|little? risky|dangerous|unsafe|destructive|drastic|scary
    there is|are a|some? significant|real|high|serious|considerable|small|slight? risk|risks|chance|danger|possibility of|that|here|this|it|to|we|i|with|involved|.|,
  `,
  warning: `
    can|could|may not be easily? undone|reversed|recovered|reverted|rolled|restored|recoverable|reversible back?
    is|are|be irreversible|permanent|destructive|non-reversible|unrecoverable
    not reversible|recoverable|undoable
    no undo
    no way to|of undo|recover|restore|revert|roll|get|reverse
    no going back
    irreversibly
    irreversible
    this|that|it|these|which|they|doing|the|proceeding|running so|this|it|change|migration|update|script|command|operation|upgrade|action|step|deploy? might|may|could break|corrupt|lose|disrupt|interrupt|damage|wipe|crash|destroy|invalidate|expose|delete|overwrite|remove|erase|affect|impact other|existing|all|the|your|user|customer|production|live? production|live|customers|customer|users|user|data|clients|everything|service|services|environment|site|system|systems|integrations|people?
    might|may|could|will|would|can cause|result|lead|mean in|to|some|a|an|? in|to|permanent|possible|potential|irreversible|full|brief|significant|? data|service|production|system? downtime|outage|loss|corruption|breakage|disruption|interruption|incident
    lose|losing your|all|the|customer|any|some data|work|changes|records|history|backups
    point of no return
    warning|caution|danger|attention|careful|beware : this|it|that|these|i|we|all|the|running|proceeding|continuing|you
    gone|lost for good|forever
    i|we|you can|could|will|would not be? able? to? undo|reverse|revert this|it|that|them|these|any|the
    this|that|it|which|doing might|may|could|will|would this|that|it? take|bring|knock the|your|our|everything|down|all|production whole|entire|live|production? site|service|services|system|server|servers|cluster|production|database|app|platform|api|down|offline|everything
    can not get it|them|this|that back
    not come back
    only copy
  `,
  idle: `
    shall|should|can|could|let we|us say|assume|call|agree|imagine
    remember|recall|note that?
    keep in mind that?
    let me know
    let|tell me know? if|whether you|there|anything|something|that|this|it|i is|are|have|has|any|makes|need|missed|help|should|can? any|more|else|questions|help|anything|sense|further|trouble|issues?
    let me know what|how|which|your
    does that|this|it make|help|answer|clarify|solve sense|your|things|question|it|the?
    make|makes sense ?
    make|makes sense
    anything else
    is there anything
    any questions|thoughts|feedback|other|ideas|preferences|more
    any other questions
    can|could|may|how i|can|may|we|else help|assist|i|be|do help|you|assist|of?
    what do you think
    see what i mean
    may i ask
    can|may|could i ask|suggest|recommend|clarify|see|explain|help|assist|get|show|just
    can|could you tell|share|provide|give|clarify|explain|show|send|paste|describe|point|elaborate me|us? more|the|a?
    do you have|know|see|remember|recall|use|think|understand|prefer|need
    i|we will|shall let you know
    i|we will|would be happy|glad|able to help|assist|explain|answer
    let me see|think|explain|check|look|know
    if you have any
    at any time
    thank|thanks you?
    good to know|hear|see
    safe to say|assume|ignore
    ready to use|help|assist|go|review|ship|eat|start|answer|be
    in order to
    so as to
    be sure to
  `,
  light: `
    go ahead and|to|with
    going|about|planning|ready|able|set to
    proceed to|with|and|by
    proceed to|with the
    start|begin|continue|resume|finish by|to|with|on?
    try|attempt|have|need|want|go|able|move|plan|choose|decide to|and|on to?
    be
    be able|ready|going to
    run and
    help you? to?
    simply
    take|taking the liberty|time of|to
    make|making a start|beginning on|by|with
    set|setting about
    opt|elect|resort|choose|decided to
    get started on|with|by?
    then
    carry on with|to?
    move forward|on|ahead|straight|directly with|to|and by?
    jump straight|right? to|into
    like to
  `,
  not: `
    not|never|neither|nor|no|nothing|none|nobody|cannot|hardly|nowhere
    no longer
    instead|rather of|than
    without
    avoid|avoids|avoiding|prevent|prevents|preventing|refuse|refused|refusing|refrain|declined|decline from|to|any? accidentally?
    hold off on
    stop short of
    not only
    far from
    no need to
  `,
}

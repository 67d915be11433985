import type { CueTable } from './cue.ts'

/** How English announces and asks. Adverbs (`now`, `also`, `just`, …) are left out of the text before. */
export const ENGLISH: CueTable = {
  own: `
    i|we will|shall|must|should|gonna|wil
    i|we will|am|are going|about|ready|set|prepared|planning|preparing|intending|proposing|looking|aiming|supposed|inclined|gearing up? to
    i|we am|are go to
    i|we plan|intend|mean|aim|need|have|want|wish|propose|expect|prefer to
    i|we am|are thinking of|about
    i|we am|are? plan|planning on
    i|we am|are
    i|we would like|love|want|prefer to
    i|we have|had decided|chosen|planned to
    i|we have started|begun to?
    let me|us
    i|we am|are going straight|right? ahead|through|on with
    allow me to
    before i|we
    my|the|our next|first|last|final|remaining|only step|move|action|task|job|thing is|will be? to?
    my|the|our plan|intention|goal|proposal|idea|recommendation is to
    i|we proceed|start|begin to|by|with
  `,
  bare: `
    going straight|right? ahead|through|on with
    going|about|ready|time|planning|preparing|proceeding|moving|set|prepared on? to
    will
    am|are going|about to
    next|then|now|plan|action|proposed|upcoming|proposal|intent|task|pending|executing|doing my? step|action|up|steps|change|actions|changes? :
    my|the|our plan|proposal|intention :
    proceeding|starting|continuing|beginning|kicking|moving with|by|off|forward with?
  `,
  ask: `
    should|shall|may|can|could|might i|we
    should|shall i|we go? ahead? and
    is|would be? it|that be? ok|okay|fine|alright|acceptable|good|safe|all|appropriate|cool right? if|for i|we|me|us to?
    is|would it be? ok|okay|fine|alright|acceptable|good|safe|cool|appropriate to
    ok|okay|alright|good|fine|safe|cool|happy|clear|approved|permission|authorization|green-light to|if|for me|i|us|we? to?
    ok|okay|alright|good|fine|cool with|for me|us?
    do you mind|object if|to|with? i|me|us|my|we?
    would you mind|object if|to? i|me|my|we
    do|have i|we have|got? your|the|a|any|everyone's? consensus|agreement|quorum|permission|approval|authorization|authorisation|go-ahead|clearance|consent|ok|okay to
    am i|we ok|okay|good|clear|cleared|allowed|permitted|free|authorized|authorised|right to
    are we ok|okay|good|clear|ready|all to|set? to?
    are you ok|okay|fine|comfortable|happy|good|cool|alright if|with|for i|me|we|us|my? to?
    do you want|like|prefer|authorize|authorise|permit|allow|approve|wish|need me|us to
    do you approve|authorize|authorise|allow|permit|accept of?
    do you want|wish to
    would you like to
    can|could|may|shall i|we go ahead
    i|we would|will|am|are? like|need|want|seeking|requesting|request|require|asking|ask|requires? for? your|explicit|the? explicit|final|written? approval|permission|confirmation|consent|go-ahead|authorization|authorisation|sign-off|okay|ok|blessing|green-light to|for|before
    permission|approval|authorization|confirmation|clearance requested|needed|required to|for|before
    requesting|seeking|need|needs|asking|request for? your|explicit? approval|permission|confirmation|consent|go-ahead|authorization|authorisation|sign-off|clearance to|for|before
    let|tell me know? if|whether|once|when|after|as soon? as? i|we should|can|may|could|am|are
    let|tell me know? if|whether it is|would be? ok|okay|fine|safe|alright if|to|for i|me? to?
    let|tell me know? whether|when|if to
    let|tell me know? if|whether|when you are|feel ok|okay|fine|happy|comfortable|ready with|for me|my? to?
    say|give me? the? word|nod|go-ahead|green|signal light? and|before|for|to
    ready for me to
    u|you want|wanna me to
    you ok|okay|fine|cool with|if me|i|my?
    shld i
    would|will|is it|that|there be? a|an|any problem|issue|trouble|harm|bad if|in i|we|me?
    is now|this|today|tonight|it? a|an? good|right|ok|okay|fine|suitable|convenient time|moment to|for
    fine|ok|okay|cool|good|alright by|with|for you if|for|that i|we|me to?
    mind if i|we
    do you agree|consent|concur with|to|that|if|on? me|my|us? to?
    any|no objection|objections|concern|concerns|problem|problems|issue|issues|reason to|with|if|about|why|not i|me|we|us|my|not? should|to? not?
    if you|u agree|approve|confirm|consent|want|like|wish|authorize|authorise|permit|allow ,|then? i|we will|can
  `,
  offer: `
    would|do you rather|prefer|want|like that|to|for|if? i|me|we|us to?
    would|do you like|want|prefer me|us to
    want|wanna|like me|us to
    would you like|prefer|want if|that? i
    let|tell me know? if|whether|when you|u would? like|want|need|prefer|wish me|us to
    let|tell me know? if|whether|when you|u would? like|want|need|prefer|wish to
  `,
  can: `
    i|we can|could
    happy|glad|able to
    i|we would|will be? happy|glad|able to
  `,
  invite: `
    if you|u would|d? like|want|prefer|wish|need|please
    if needed|desired|wanted|preferred
    just|simply? say so|when
  `,
  wish: `
    do|would you want|need|prefer|like|wish
    you|u want|need|wanted
  `,
  wait: `
    awaiting|await your|the|user|human|explicit|further|final? approval|confirmation|go-ahead|permission|decision|sign-off|signoff|green-light|answer|authorization|authorisation|ok|okay|consent|instructions|instruction|response|word|call
    waiting|wait|pausing|holding|stopping|pause|hold|stop for|on|until your|the|user|a|explicit|human|you? approval|confirmation|go-ahead|permission|decision|sign-off|signoff|green-light|answer|authorization|authorisation|ok|okay|consent|confirm|approve|agree|say|word
    i|we need|require|want your|a|explicit|user|human|manual? approval|confirmation|go-ahead|permission|decision|sign-off|signoff|authorization|authorisation|consent|green-light|yes
    i|we will? need|want|require you|somebody|someone|a|an human|person|admin|approver|owner? to confirm|approve|authorize|authorise|decide|sign|sign-off|ok|okay
    your call|decision|choice .
    the call|decision|choice is yours
    up to you
    you decide
    leave it|this|that|the up? to|with|decision you|to? you?
    i|we would rather|prefer not? not|to not? do|run|proceed|continue|go|touch this|it|that|ahead? unattended|alone|without|blindly|unsupervised
    requires|needs|require|need|requiring your|a|the|user? explicit|user|human|manual|prior|written|final? approval|confirmation|go-ahead|permission|decision|sign-off|signoff|authorization|authorisation|consent
    approval|confirmation|authorization|authorisation|sign-off|permission|consent required|needed|requested|pending
    until|once|when|after|unless|as|soon as? you|u|i have|get|give|have|hear|received|receive? your|you|the? ok|okay|approval|approve|confirm|confirmed|confirmation|agree|authorize|authorise|approved|go-ahead|say|give|green-light|permission|sign|consent|reply
    only if|after|when|with|once you|your confirm|approve|approval|confirmation|agree|say|consent|permission
    with|pending|subject|upon|after|on|given to? your permission|approval|blessing|confirmation|go-ahead|ok|okay|consent|sign-off|authorization
    unless you|i|we hear|object|say|tell|stop|disagree
    if you|u agree|approve|confirm|consent|say|give|are|authorize|authorise|permit|allow so|the|me|ok|okay|fine|happy|sure|good|comfortable|go-ahead|yes|it|this?
    if that|this|it|everything|all is|looks|sounds|works|seems ok|okay|good|right|fine|alright|correct|acceptable|for with? you|me?
    if there are no objections
    if no objections
    say|type|reply|respond|answer|enter|press with|back|in? the|a|me? yes|y|confirm|confirmed|ok|okay|proceed|approve|approved|go|continue|delete to|if|and|before|or?
    y / n
    y/n
    yes/no
    yes or no
    n/y
    are you sure you|u|about|that|i|we|this|? want|should|this|proceed|would|with?
    are you absolutely|certain|positive|really sure|that|you? you? want? to?
    do you really|still want|wish to
    shall|should i|we ?
    may i ?
    ok ?
    okay ?
    proceed|continue|confirm|approve|approved|confirmed ?
    go ahead ?
    go|green-light|thumbs-up ?
    yes ?
    good to go ?
    ready to go ?
    all good to go|proceed|continue
    is|does that|this|it|everything look|sound|seem? ok|okay|fine|alright|good|acceptable|right with|to|for you|proceed|go|continue|run|apply|me
    is|would|are that|this|you|it be? ok|okay|fine|alright|acceptable with? you|that|this|me|it? ?
    does that|this|the my|plan|proposal|approach plan|approach|proposal? work|look|sound|seem ok|okay|good|fine|right|acceptable|reasonable|for with? you|me? ?
    does the|this|my plan|proposal|approach|change look|sound|seem|work good|ok|okay|right|fine|acceptable|for you|reasonable
    sound|sounds|look|looks good|ok|okay|fine ?
    any objection|objections
    do i|we hit|press|go|proceed|continue|ship|merge|deploy|send|pull|push|delete|pay|buy send|enter|ahead|the|it|it?
    please|kindly|you|to? choose|pick|select|decide :|one|between|whether|which|an|how
    sure|that|if|whether|certain you are ok|okay|fine|happy|comfortable|good|on|cool with|for|board
    review and approve|confirm
    make sure that? you are ok|okay|fine|happy|comfortable|good|cool with
    without me? hearing from you
    objections ?
    can|could|do|would i|you|we|please get|have|give|grant|provide me|us? a|your|the? go-ahead|approval|permission|confirmation|sign-off|ok|okay|green-light|consent
    give|grant me|us the|your|a? go-ahead|approval|permission|confirmation|sign-off|ok|okay|green-light|consent|authorization|nod
    say the word
    tell|ask me to proceed|continue|go|start|stop and|or|ahead
    are you fine|ok|okay|good|comfortable|happy|cool with this|that|it|the|these|us|all
    give|need|want|waiting|wait|send|drop me|us|for|i|we? for? a|your|the? thumbs-up|nod|go|green-light|go-ahead|okay|ok|sign-off|signal|blessing
    your|a thumbs-up|nod|go-ahead|green-light|sign-off|blessing ?
    thumbs-up ?
    stop me
    speak now
    last chance to
    standing by
    on your command|mark|signal|word|say-so|go|go-ahead|call
    ready when|whenever you are
    need a|your decision|answer|input|call|ruling
    i|we will? wait|hold|pause|stop|holding|pausing|stopping for|until|till|here|before|on until|for|before? you|your|i
    waiting to hear
    hear|hearing back? from you before|first|to
    how|what should|shall|must i|we proceed|continue|handle|do|go
    how|what would|do you want|like|prefer|wish me|us to proceed|continue|handle|go|do with|about|next|here|:|?
    how do|would you want|like to proceed|continue|handle
    which should|shall i|we do|run|take|go|use|pick|apply|choose|execute|delete
    which|what one|option|approach|way|of|path|route|variant|version|two these|those|them|the|two? two|options|approaches? should|shall|do|would i|we|you do|run|take|go|use|pick|apply|choose|execute|want|like|prefer|rather
    which of these|those|them|the should? i|we should?
    pick|choose one|a|b|an|between option?
    your call ?
    please advise|decide|authorize|authorise|approve|sign
    please give|provide your|the|me|a your? approval|confirmation|consent|permission|go-ahead|decision
    user|human approval|confirmation|consent|input required|needed
    check|checking|double-checking|verify|verifying with you before|first|?
    i|we will? not proceed|continue|go|run|do|touch|execute|delete|start without|until|ahead your|you|explicit
    how|what would|do you want|like|prefer me to proceed|do with before
    i|we will not do|run|start this|it|that|anything until you
  `,
  confirm: `
    please|pls|kindly|plz to? confirm|approve|acknowledge|verify
    can|could|would|will you please|kindly? confirm|approve|authorize|authorise|okay|green-light|acknowledge
    do you confirm
    confirm|approve
    need you to confirm|approve
    just? want|wanted|need|needed|like to confirm|check|double-check
    let me confirm|double-check|check with you
    i|we would? want|need|like|wanted to confirm|double-check
  `,
}

/** Words that change nothing, left out before phrases are looked for. */
export const FILLERS = `now also just simply really actually first permanently immediately quickly definitely probably still currently finally
  again once-more irrevocably carefully safely basically literally already shortly soon directly maybe perhaps therefore
  honestly frankly kinda basically thus accordingly hence well ok-so alright-so automatically temporarily manually completely fully entirely afterwards
  afterward later meanwhile anyway quick today tonight tomorrow very too either rightaway gonna-now straightaway momentarily subsequently
  hereby right-now silently forcefully forcibly personally obviously clearly certainly kindly-note
  maintenant ahora agora jetzt mismo également también também auch immédiatement inmediatamente imediatamente sofort ensuite gleich directement diretamente directamente`

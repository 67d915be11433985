import type { ProfileName } from '../severity/profiles.ts'
import type { VerbForm } from '../text/words.ts'
/** What a turn of phrase does to the verbs after it. */
export type Cue =
  /** The speaker's own intention; a verb follows. */
  | 'own'
  /** The same without a speaker: counts at the start of a clause only. */
  | 'bare'
  /** May I: a verb follows. */
  | 'ask'
  /** Do you want me to: a verb follows, and may be one without effect. */
  | 'offer'
  /** You want it so: what is done to it follows. */
  | 'wish'
  /** Is it fine, or not: a whole question by itself. */
  | 'wait'
  /** Confirm: an ask only when it is not a fact that shall be confirmed. */
  | 'confirm'
  /** Somebody else does it, or should. */
  | 'you'
  /** It is done. */
  | 'past'
  /** It is only thought of. */
  | 'thought'
  /** If, when: thought of until the clause ends. */
  | 'condition'
  /** The speaker could. */
  | 'can'
  /** If you like: turns what the speaker could into an ask. */
  | 'invite'
  /** A claim that somebody allowed it. */
  | 'claim'
  /** The speaker does what was just described. */
  | 'proceeding'
  /** It goes on without leave: a claim only of what is announced. */
  | 'unasked'
  /** It was allowed, by whomever: a claim only where something is announced. */
  | 'hearsay'
  /** The speaker does not know whether it is right. */
  | 'doubt'
  /** Cannot be undone. */
  | 'warning'
  /** Idle words: neither ask nor announcement. */
  | 'idle'
  /** The verb after it is what counts. */
  | 'light'
  /** The verb after it is not done. */
  | 'not'

/** Turns of phrase by what they do, one to a line; the spelling is that of `PhraseTable`. */
export type CueTable = Partial<Readonly<Record<Cue, string>>>

/** Forms of verbs of another language: `base ing past self`, each a list of words. */
export type ForeignVerbs = Partial<
  Readonly<Record<ProfileName | 'make' | 'run' | 'proceed', Partial<Readonly<Record<VerbForm, string>>>>>
>

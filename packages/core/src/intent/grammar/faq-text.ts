import type { Sentence } from '../text/sentence.ts'
import { words } from '../text/words.ts'

const OPENERS = words('can may do does will should must how what is are could where when')
const ANSWERS = words('yes no')
const SPEAKERS = words('i we me us')

/** `Can I delete my account?`: a reader's question, as help pages print them. An agent that asks says `your`. */
export function isReadersQuestion({ tokens, isQuestion }: Sentence): boolean {
  return isQuestion && OPENERS.has(tokens[0]?.word ?? '') && tokens.some(({ word }) => word === 'my')
}

/** `Yes, open the settings.`: the answer to the question before, for a reader. The speaker does nothing in it. */
export function isAnswer({ tokens }: Sentence): boolean {
  return (
    ANSWERS.has(tokens[0]?.word ?? '') &&
    tokens[1]?.kind === 'stop' &&
    tokens.length > 3 &&
    !tokens.some(({ word }) => SPEAKERS.has(word))
  )
}

import { wordClass } from '../../knowledge/intent.ts'
import type { Sentence } from '../text/sentence.ts'

const OPENERS = wordClass('reader_question_openers')
const FIRST_PERSON = wordClass('first_person')
const PLANNING = wordClass('planning')
const TEACHING = wordClass('teaching')

/** `Can I delete my account?`: a reader's question in a help page. An agent that asks writes `your`. */
export function isReaderQuestion({ tokens, isQuestion }: Sentence): boolean {
  if (!isQuestion || !OPENERS.has(tokens[0]?.word ?? '')) return false
  // `… to my removing it?`: the agent removes it.
  return tokens.some(({ word }, at) => word === 'my' && tokens[at + 1]?.word.endsWith('ing') !== true)
}

/** `Yes, open the settings.`: the printed answer to such a question. The agent does nothing in it. */
export function isPrintedAnswer({ tokens }: Sentence): boolean {
  const first = tokens[0]?.word
  return (
    (first === 'yes' || first === 'no') &&
    tokens[1]?.kind === 'stop' &&
    tokens.length > 3 &&
    !tokens.some(({ word }) => FIRST_PERSON.has(word))
  )
}

/** Whether the list items after this sentence are what the agent is about to do. `before` is the answer so far. */
export function introducesPlan({ tokens, isItem, isHeading, isIntro }: Sentence, before: boolean): boolean {
  if (isItem) return before
  const isPlanning = tokens.some(({ word }) => PLANNING.has(word))
  const isTeaching = tokens.some(({ word }) => TEACHING.has(word)) || tokens[0]?.word === 'to'
  if (isIntro || isHeading || tokens.length <= 4) return isPlanning && !isTeaching
  return isPlanning && !isTeaching && before
}

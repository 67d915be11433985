import type { Sentence } from '../text/sentence.ts'
import { words } from '../text/words.ts'

const PLANNING =
  words(`i we my our plan next going will todo to-do actions proposed proposal remaining tasks steps step approach
  plan: order voy vamos je nous ich wir vou`)
const TEACHING = words(
  'you your how users reproduce did done completed made summary tutorial guide have has was were install usage docs changes options either',
)

/** Whether the items of a list after this sentence are what the agent is about to do. */
export function planAfter({ tokens, isItem, isHeading, isIntro }: Sentence, before: boolean): boolean {
  if (isItem) return before
  const isPlanning = tokens.some(({ word }) => PLANNING.has(word))
  const isTeaching = tokens.some(({ word }) => TEACHING.has(word)) || tokens[0]?.word === 'to'
  if (isIntro || isHeading || tokens.length <= 4) return isPlanning && !isTeaching
  return isPlanning && !isTeaching && before
}

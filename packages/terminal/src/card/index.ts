/**
 * The approval card as plain lines and the one state machine behind its keys: no Ink, no terminal, no clock.
 * @module
 */
export { type Card, type CardLook, cardLines, drawCard, headerText } from './card.ts'
export {
  type CardEffect,
  type CardFacts,
  type CardInput,
  type CardPage,
  type CardPower,
  type CardState,
  openCardState,
  stepCard,
} from './card-state.ts'
export { actFor, factsOf, type GrantChoice, grantChoices, type PromptFacts } from './choice.ts'
export { createPaint, type Paint, RISK_GLYPH, RISK_STYLE, type Style } from './color.ts'
export { cutText } from './cut-text.ts'
export { detailLines } from './details.ts'
export { editText } from './edit-text.ts'
export { decodeKeys, type Key } from './key.ts'
export { createKeyReader, type KeyReader } from './key-reader.ts'
export { pagesOf } from './pages.ts'
export { pastWords } from './past-words.ts'
export { actionWords, helpLines, leftText, type PromptLine, promptLine } from './prompt-line.ts'
export {
  armsAt,
  openPromptState,
  type PromptEffect,
  type PromptInput,
  type PromptState,
  type Stage,
  stepPrompt,
  TRIES,
} from './prompt-state.ts'
export { decidedLine, endedLine, timeOfDay } from './receipt-line.ts'
export { createRows, join, paragraph } from './rows.ts'
export { timeText } from './time-text.ts'

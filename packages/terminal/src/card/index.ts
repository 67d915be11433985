/**
 * The approval card as plain lines, and the state machine for its keys. Does not use Ink, a terminal or a clock.
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
export { detailLines, digestLines } from './details.ts'
export { decodeKeys, type Key } from './keys/key.ts'
export { createKeyReader, type KeyReader } from './keys/key-reader.ts'
export { editText } from './keys/text-field.ts'
export { ownPreviewLines } from './preview/own.ts'
export {
  actFor,
  choiceLines,
  factsOf,
  type GrantChoice,
  grantChoices,
  mustBeRead,
  type PromptFacts,
  pastLines,
  withLifetime,
} from './prompt/choice.ts'
export { actionWords, helpLines, leftText, type PromptLine, promptLine } from './prompt/line.ts'
export type { PromptEffect, PromptInput, PromptState, Stage } from './prompt/stage.ts'
export { armsAt, openPromptState, stepPrompt, TRIES } from './prompt/state-machine.ts'
export { decidedLine, endedLine, timeOfDay } from './receipt-line.ts'
export { createPaint, type Paint, RISK_STYLE, type Style } from './text/color.ts'
export { cutText, pagesOf, timeText } from './text/format.ts'
export { createRows, join, paragraph } from './text/rows.ts'

/**
 * The approval dialog and the pieces of the inbox, for any React app. Written by hand: a symbol is here because a page
 * outside of this package draws or calls it.
 * @module
 */
export {
  acceptanceMessage,
  canonicalJson,
  coverSecrets,
  type Decision,
  type Explanation,
  type Finding,
  fencedName,
  type GivenGrant,
  type GrantScope,
  type HeldCallView,
  type HeldSummary,
  isJsonObject,
  type JournalEntry,
  type Json,
  type JsonObject,
  MAX_BATCH,
  type MaskedView,
  maskJson,
  maskView,
  OUTCOMES,
  type PastCall,
  patternWords,
  type QuarantineView,
  type Receipt,
  RISK_LEVELS,
  type RiskLevel,
  riskRank,
  rulePlace,
  safeText,
  shellQuote,
  toolLabel,
  type VerifiedJournal,
  type WaitingDefinition,
} from '@countersign/core'
export { type Act, actFor } from './act.ts'
export { AgentWords } from './agent-words.tsx'
export {
  type AllowAll,
  type Approval,
  type ApprovalAnswer,
  type ApprovalPart,
  approvalOfPart,
  approvalOfView,
  decisionOf,
} from './approval.ts'
export { ApprovalDialog, type ApprovalDialogProps, type DialogLabels } from './approval-dialog.tsx'
export {
  type ApprovalSource,
  type Approvals,
  type Closed,
  type Link,
  NO_APPROVALS,
  type Notice,
} from './approval-source.ts'
export { ApprovalsProvider } from './approvals-provider.tsx'
export { deadlineOf, stepApprovals, type Told } from './approvals-step.ts'
export { askService, problemWords, type Question, ServiceError } from './ask-service.ts'
export { BarButton } from './bar-button.tsx'
export { type BrowserKey, openBrowserKey } from './browser-key.ts'
export { CallLine } from './call-line.tsx'
export { CodeBlock } from './code-block.tsx'
export { Countdown, TimeLeft } from './countdown.tsx'
export { CoveredSecrets } from './covered-secrets.tsx'
export { type DecisionActions, DecisionBar, type DecisionLabels } from './decision-bar.tsx'
export { draftOfRequest, keepDraft } from './drafts.ts'
export { type DefinitionSource, EditArguments } from './edit/edit-arguments.tsx'
export { Effect } from './effect.tsx'
export { Findings } from './findings.tsx'
export { type GrantChoice, GrantPicker } from './grant-picker.tsx'
export { LostDecision, type PasskeySigner } from './hand-in.ts'
export { batchPlaceOf, factsOf, type HeldCall, type HeldFacts, isWhole } from './held-call.ts'
export { HeldCard, type HeldCardProps } from './held-card.tsx'
export { type HttpSource, type HttpSourceOptions, httpSource } from './http-source.ts'
export { maskedBrief, maskedEffect } from './masked-effect.ts'
export type { WouldMatch } from './matched.tsx'
export { type OpenedHeld, openHeld } from './open-held.ts'
export { pressOnce } from './press-once.ts'
export { DefinitionView } from './preview/definition-view.tsx'
export { PreviewView } from './preview/preview-view.tsx'
export { JsonView, ValueView } from './preview/value-view.tsx'
export { EndOfBody, ReadingProvider, useUnread } from './reading.tsx'
export { ReceiptCard } from './receipt-card.tsx'
export { RegionsIn } from './region.tsx'
export { RejectForm } from './reject-form.tsx'
export { RequestDetails } from './request-details.tsx'
export { RiskBadge } from './risk-badge.tsx'
export { Safe } from './safe.tsx'
export { useServerNow } from './server-clock.ts'
export { sha256 } from './sha256.ts'
export { Similar } from './similar.tsx'
export { StrandedWords } from './stranded-words.tsx'
export { Ticked } from './ticked.tsx'
export { type UsedApprovals, useApprovals } from './use-approvals.ts'
export { useArmed } from './use-armed.ts'
export { useLostFocus } from './use-lost-focus.ts'
export { type Stop, useStop } from './use-stop.tsx'
export { useWhole, type WholeCall } from './use-whole.ts'
export { sameKnown, WhatIsKnown } from './what-is-known.tsx'
export { WhyAsked } from './why-asked.tsx'
export { agoWords, clockWords, dateWords, levelOf, RISK_GLYPH, signOf, spanWords, tookWords } from './words.ts'

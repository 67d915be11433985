/**
 * The approval dialog and the pieces of the inbox, for any React app. Written by hand: a symbol is here because a page
 * outside of this package draws or calls it.
 * @module
 */

export type { WouldMatch } from '@countersign/core'
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
export { type Act, actFor } from './call/confirmation-level.ts'
export { batchPlaceOf, factsOf, type HeldCall, type HeldFacts, isWhole } from './call/held-call.ts'
export { maskedBrief, maskedEffect } from './call/masked-effect.ts'
export { sha256 } from './call/sha256.ts'
export { type OpenedHeld, openHeld } from './call/verified-view.ts'
export { AgentWords } from './card/agent-words.tsx'
export { CallLine } from './card/call-summary.tsx'
export { Countdown, TimeLeft } from './card/countdown.tsx'
export { Findings } from './card/findings.tsx'
export { HeldCard, type HeldCardProps } from './card/held-card.tsx'
export { ReceiptCard } from './card/receipt-card.tsx'
export { RequestDetails } from './card/request-details.tsx'
export { CoveredSecrets } from './card/reveal-secrets.tsx'
export { Similar } from './card/similar-decisions.tsx'
export { sameKnown, WhatIsKnown } from './card/what-is-known.tsx'
export { WhyAsked } from './card/why-asked.tsx'
export { type DecisionActions, DecisionBar, type DecisionLabels } from './decision/bar.tsx'
export { BarButton } from './decision/bar-button.tsx'
export { type GrantChoice, GrantPicker } from './decision/grant-picker.tsx'
export { pressOnce } from './decision/ignore-key-repeat.ts'
export { RejectForm } from './decision/reject-form.tsx'
export { useArmed } from './decision/use-armed.ts'
export { type Stop, useStop } from './decision/use-blocker.tsx'
export { useLostFocus } from './decision/use-lost-focus.ts'
export {
  type AllowAll,
  type Approval,
  type ApprovalAnswer,
  type ApprovalPart,
  approvalOfPart,
  approvalOfView,
  decisionOf,
} from './dialog/approval.ts'
export { ApprovalDialog, type ApprovalDialogProps, type DialogLabels } from './dialog/approval-dialog.tsx'
export { type DefinitionSource, EditArguments } from './edit/arguments-form.tsx'
export { draftOfRequest, keepDraft } from './edit/draft-store.ts'
export { StrandedWords } from './edit/unsent-drafts.tsx'
export { DefinitionView } from './preview/definition-view.tsx'
export { PreviewView } from './preview/preview-view.tsx'
export { JsonView, ValueView } from './preview/value-view.tsx'
export {
  type ApprovalSource,
  type Approvals,
  type Closed,
  type Link,
  NO_APPROVALS,
  type Notice,
} from './source/approval-source.ts'
export { ApprovalsProvider } from './source/approvals-provider.tsx'
export { deadlineOf, stepApprovals, type Told } from './source/approvals-reducer.ts'
export { type BrowserKey, openBrowserKey } from './source/browser-key.ts'
export { type HttpSource, type HttpSourceOptions, httpSource } from './source/http-source.ts'
export { useServerNow } from './source/server-clock.ts'
export { askService, problemWords, type Question, ServiceError } from './source/service-client.ts'
export { LostDecision, type PasskeySigner } from './source/submit-decision.ts'
export { type UsedApprovals, useApprovals } from './source/use-approvals.ts'
export { useWhole, type WholeCall } from './source/use-whole.ts'
export { Effect } from './text/call-effect.tsx'
export { CodeBlock } from './text/code-block.tsx'
export { agoWords, clockWords, dateWords, levelOf, RISK_GLYPH, signOf, spanWords, tookWords } from './text/format.ts'
export { Ticked } from './text/inline-code.tsx'
export { EndOfBody, ReadingProvider, useUnread } from './text/reading-progress.tsx'
export { RegionsIn } from './text/region.tsx'
export { RiskBadge } from './text/risk-badge.tsx'
export { Safe } from './text/safe-text.tsx'

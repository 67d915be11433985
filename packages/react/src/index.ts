/**
 * The approval dialog and the building blocks of the inbox, for any React app.
 * @module
 */

export type { Feedback, RuleFeedback, RulesAnswer, RulesEdit, RulesProposal, WouldMatch } from '@countersign/core'
export {
  acceptanceMessage,
  boundsWords,
  callStory,
  canonicalJson,
  countedWords,
  coverSecrets,
  type Decision,
  type Explanation,
  entryWords,
  type Finding,
  fencedName,
  type GivenGrant,
  type GrantScope,
  type HeldCallView,
  type HeldSummary,
  hiddenWords,
  isJsonObject,
  type JournalEntry,
  type Json,
  type JsonObject,
  MAX_BATCH,
  maskJson,
  maskView,
  matchesQueue,
  networkWords,
  OUTCOMES,
  type PastCall,
  type Preview,
  parseQueueFilter,
  patternWords,
  type QuarantineView,
  type QueueFacts,
  queueOrder,
  type Receipt,
  RISK_GLYPH,
  RISK_LEVELS,
  type RiskLevel,
  riskRank,
  rulePlace,
  safeText,
  shellQuote,
  subjectOf,
  toolLabel,
  toolPartWords,
  toRiskLevel,
  type UnseenFilePreview,
  type VerifiedJournal,
  type WaitingDefinition,
} from '@countersign/core'
export { type Confirmation, confirmationFor } from './call/confirmation-level.ts'
export {
  batchPlaceOfCall,
  deadlineOf,
  type HeldCall,
  type HeldFacts,
  heldFacts,
  heldQueueFacts,
  isFull,
  maskedArguments,
  maskedEffect,
} from './call/held-call.ts'
export { sha256, type VerifiedView, verifyView } from './call/verified-view.ts'
export { CallContext, sharedContext, UnverifiedClaim } from './card/call-context.tsx'
export { Countdown, TimeLeft } from './card/countdown.tsx'
export { Findings } from './card/findings.tsx'
export { HeldCard, type HeldCardProps, SimilarDecisions } from './card/held-card.tsx'
export { CallSummary, ReceiptCard } from './card/receipt-card.tsx'
export { RequestDetails } from './card/request-details.tsx'
export { RevealSecrets } from './card/reveal-secrets.tsx'
export { WhyAsked } from './card/why-asked.tsx'
export { type DecisionActions, DecisionBar, type DecisionLabels } from './decision/bar.tsx'
export { BarButton, ignoreKeyRepeat } from './decision/buttons.tsx'
export { type GrantChoice, GrantPicker } from './decision/grant-picker.tsx'
export { StrayPressNote, watchPointer } from './decision/press-guard.tsx'
export { RejectForm } from './decision/reject-form.tsx'
export { answerTo, RuleProposal, useTyped } from './decision/rule-proposal.tsx'
export { useArmed } from './decision/use-armed.ts'
export { type Blocker, useBlocker } from './decision/use-blocker.tsx'
export { useLostFocus } from './decision/use-focus.ts'
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
export { HeldCallDialog, type HeldCallDialogProps } from './dialog/held-call-dialog.tsx'
export { type DefinitionSource, EditArguments } from './edit/arguments-form.tsx'
export { draftOfRequest, keepDraft, UnsentDrafts } from './edit/unsent-drafts.tsx'
export { JsonView, ValueView } from './preview/arguments-view.tsx'
export { DefinitionView, DiffView } from './preview/diff-view.tsx'
export { OwnView } from './preview/own-view.tsx'
export { PreviewView } from './preview/preview-view.tsx'
export {
  type ApprovalSource,
  type Approvals,
  type Closed,
  type ConnectionState,
  NO_APPROVALS,
  type Notice,
} from './source/approval-source.ts'
export { type ApprovalEvent, reduceApprovals } from './source/approvals-reducer.ts'
export { type BrowserKey, openBrowserKey } from './source/browser-key.ts'
export { type HttpSource, type HttpSourceOptions, httpSource } from './source/http-source.ts'
export { useServerNow } from './source/server-clock.ts'
export { askService, errorMessageIn, type RequestOptions, ServiceError } from './source/service-client.ts'
export { signRules } from './source/sign-rules.ts'
export { LostDecision, type PasskeySigner } from './source/submit-decision.ts'
export {
  type ApprovalsHandle,
  ApprovalsProvider,
  type FullCall,
  useApprovals,
  useFullCall,
} from './source/use-approvals.tsx'
export { CodeBlock } from './text/code-block.tsx'
export {
  formatAgo,
  formatDateTime,
  formatDuration,
  formatElapsed,
  formatTime,
  outcomeSign,
} from './text/format.ts'
export { CallEffect, InlineCode } from './text/inline-code.tsx'
export { EndOfCard, ReadingProvider, useUnread } from './text/reading-progress.tsx'
export { RegionGroup } from './text/region.tsx'
export { RiskBadge } from './text/risk-badge.tsx'
export { SafeTextView } from './text/safe-text.tsx'

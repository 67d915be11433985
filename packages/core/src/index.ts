/**
 * The public surface of the gate, written by hand: a symbol is here because somebody outside core needs it.
 * @module
 */
export { type AcceptanceClaim, acceptanceMessage } from './approval/acceptance-message.ts'
export { type BatchPlace, batchPlace, MAX_BATCH } from './approval/batch-place.ts'
export type { GateContext } from './approval/context.ts'
export type { Decision, OfferedLifetime, Receipt, SignedDecision } from './approval/decision.ts'
export type { Desk, PastCall } from './approval/desk.ts'
export type { GateEvent, GateListener } from './approval/event.ts'
export type { GivenGrant, Grants } from './approval/given-grants.ts'
export { NOW_MS, SILENT_MS } from './approval/heartbeat.ts'
export type { GrantOffer, HeldCallView, RequestBody } from './approval/held-call.ts'
export { type HeldSummary, summarizeHeld } from './approval/held-summary.ts'
export type { Judgement } from './approval/judgement.ts'
export { lifetimeWords } from './approval/lifetime-words.ts'
export { markOf } from './approval/mark.ts'
export { type MaskedView, maskView } from './approval/mask-view.ts'
export { OUTCOMES, type Outcome } from './approval/outcome.ts'
export { patternWords } from './approval/pattern-words.ts'
export type { Permit } from './approval/permit.ts'
export type { Quarantine, QuarantineView, WaitingDefinition } from './approval/quarantine.ts'
export { type RecalledCall, recallCall } from './approval/recall-call.ts'
export { receiptWords } from './approval/receipt-words.ts'
export { type Refusal, refusalText } from './approval/refusal.ts'
export type { SeenTool } from './approval/seen-tools.ts'
export { decisionMessage, signDecision } from './approval/sign-decision.ts'
export type { Ticket } from './approval/submit.ts'
export { type OpenedView, openView } from './approval/view.ts'
export { viewJson } from './approval/view-json.ts'
export type { WouldMatch } from './approval/would-match.ts'
export type { Agent, Call, Description, FrozenCall } from './call/call.ts'
export { canonicalJson } from './call/canonical.ts'
export { shellQuote } from './call/command-words.ts'
export { freezeDefinition } from './call/definition.ts'
export { type Descriptor, KINDS, type Kind } from './call/descriptor.ts'
export { isJsonObject, type Json, type JsonObject } from './call/json.ts'
export { patchSummary } from './call/patch-paths.ts'
export { type Annotations, type ToolIdentity, type ToolRef, toolLabel } from './call/tool.ts'
export { safeJson, safeLines, safeText, sliceSafe } from './display/escape.ts'
export { confusableWords } from './display/lookalike.ts'
export { minuteText } from './display/minute-text.ts'
export { findOddCharacters, type OddClass } from './display/odd-characters.ts'
export type { SafeText } from './display/safe-text.ts'
export { displayWidth, wrapText } from './display/wrap.ts'
export { asCountersignError, assertNever, CountersignError, ERRORS, type ErrorCode } from './errors.ts'
export type { ToolResult } from './execute/execute.ts'
export { createGate } from './gate.ts'
export type { GateOptions } from './gate-context.ts'
export type { Gate } from './gate-handle.ts'
export {
  ACTION_TYPES,
  type ActionType,
  type Intent,
  type IntentScope,
  type IntentSign,
  type IntentThresholds,
  SIGN_KINDS,
  type SignKind,
} from './intent/intent.ts'
export { readIntent } from './intent/read-intent.ts'
export type { IntentTags } from './intent/tags.ts'
export { INTENT_THRESHOLDS } from './intent/thresholds.ts'
export {
  type Checkpoint,
  parseCheckpoint,
  signCheckpoint,
  verifierKey,
  verifyCheckpoint,
} from './journal/checkpoint.ts'
export type { Damage, DamageKind } from './journal/damage.ts'
export { draftEntry, type EntryBody, type JournalEntry, parseEntry } from './journal/entry.ts'
export { ENTRY_KINDS, type EntryKind } from './journal/entry-kind.ts'
export { createJournal, type Journal } from './journal/journal.ts'
export { appendLeaf, leafHash, rootOf } from './journal/merkle.ts'
export { journalOrigin } from './journal/origin.ts'
export { type Archive, lastEntryBefore, type RotateParts, type Rotation, rotateJournal } from './journal/rotate.ts'
export { SpanBuilder } from './journal/span.ts'
export {
  type JournalSource,
  type JournalVerdict,
  type VerifiedJournal,
  verifyExport,
  verifyJournal,
} from './journal/verify.ts'
export type { CheckSettings } from './policy/check-settings.ts'
export { BUILTIN_CHECKS } from './policy/check-table.ts'
export type { Circumstances, Places } from './policy/circumstances.ts'
export { parseDuration } from './policy/duration.ts'
export type { Explanation, RuleExplanation, UnitExplanation } from './policy/explain.ts'
export { formatExplanation } from './policy/format-explanation.ts'
export { compileNameGlob, compilePathGlob } from './policy/glob.ts'
export { validateNameGlob, validatePathGlob } from './policy/glob-syntax.ts'
export type { Grant, GrantLifetime, GrantScope } from './policy/grant.ts'
export { createHermeticJudge, TEST_PLACES } from './policy/hermetic-judge.ts'
export { policyJsonSchema } from './policy/json-schema.ts'
export { lintPolicy, type PolicyLint } from './policy/lint-policy.ts'
export { type LoadedFile, loadPolicyFile, type RefusedFile } from './policy/load-file.ts'
export { type LoadedPolicy, type LoadPolicyOptions, loadPolicy } from './policy/load-policy.ts'
export { namesDefined } from './policy/load-programs.ts'
export { compileNames } from './policy/match-names.ts'
export { PRESET_NAMES, type PresetName } from './policy/preset-name.ts'
export { loadPreset } from './policy/presets.ts'
export { formatProblem, type PolicyProblem, positionsIn } from './policy/problem.ts'
export type { CheckerProgram, PolicySet, Rule } from './policy/rule.ts'
export { rulePlace, ruleWords } from './policy/rule-place.ts'
export { SUPERVISIONS, type Supervision, supervisionRank } from './policy/supervision.ts'
export { formatTestResult, type PolicyTest, runPolicyTests, type TestResult } from './policy/test-policy.ts'
export type { RuleRef, Verdict } from './policy/verdict.ts'
export { readYaml } from './policy/yaml-tree.ts'
export type { Approver, Approvers } from './ports/approvers.ts'
export type { BackupAges, BackupBounds, Backups, BackupTarget, Kept, Measured } from './ports/backups.ts'
export type { Clock } from './ports/clock.ts'
export type { Crypto, Signer } from './ports/crypto.ts'
export type { Heads } from './ports/heads.ts'
export type { Owners } from './ports/owners.ts'
export type { PolicyFile, PolicyFiles } from './ports/policy-files.ts'
export type { Ports } from './ports/ports.ts'
export type { Programs } from './ports/programs.ts'
export type * from './ports/store.ts'
export type { TargetFacts, TargetState, Targets, TargetTree } from './ports/targets.ts'
export { CHANGE_WORDS } from './preview/change-words.ts'
export { compareDefinitions, DEFINITION_MEMBERS, type DefinitionChange } from './preview/compare-definitions.ts'
export { diffTexts } from './preview/diff-hunks.ts'
export { effectSentence } from './preview/effect.ts'
export { fencedName } from './preview/fenced-name.ts'
export { type PatchPiece, patchPieces } from './preview/patch-pieces.ts'
export type { DiffHunk, DiffPreview, Preview, PreviewField, PreviewPart, PreviewTarget } from './preview/preview.ts'
export { byteWords, countedWords } from './preview/target-preview.ts'
export { type AssessedCall, assessCall } from './risk/assess-call.ts'
export { RISK_LEVELS, type RiskLevel, riskRank } from './risk/level.ts'
export type { RiskReason, RiskReport } from './risk/report.ts'
export { countWords, sizeWords } from './safety/amount-words.ts'
export { changedTargets } from './safety/changed-targets.ts'
export {
  type CheckAnswer,
  type Checker,
  type CheckInput,
  type Finding,
  numberOf,
  type SafetyReport,
} from './safety/checker.ts'
export { reachOf } from './safety/checkers/address.ts'
export { coreCheckers } from './safety/checkers/core-checkers.ts'
export { joinFound } from './secrets/join-found.ts'
export { coverSecrets, type Masked, maskJson, maskText } from './secrets/mask.ts'
export { redactJson, redactText } from './secrets/redact.ts'
export { scanText } from './secrets/scan-text.ts'
export type { SecretSpan } from './secrets/span.ts'
export { createSharedLooks, type SharedLooks } from './shared-looks.ts'
export type { CallOptions, Tool, WrapOptions, WrappedTool } from './wrap.ts'

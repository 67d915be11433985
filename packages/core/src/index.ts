/**
 * The public API of the gate, written by hand: each symbol is here because somebody outside core needs it.
 * @module
 */

export type { GateEvent, GateListener } from './approval/context/events.ts'
export { RETURN_MS, resumableSessionId } from './approval/context/resumable-session.ts'
export { STOPPING } from './approval/context/waiting-callers.ts'
export type { Decision, Receipt, SignedDecision } from './approval/decision/decision.ts'
export { lateWords, receiptWords } from './approval/decision/decision.ts'
export { isLifetimeOffered, lifetimeBounds, MOST_OF_LIFETIME, nextLifetime } from './approval/decision/lifetimes.ts'
export { decisionMessage, signDecision } from './approval/decision/sign.ts'
export type { Changes, SeenContent } from './approval/desk/changes.ts'
export type { Desk, PastCall } from './approval/desk/desk.ts'
export { FEEDBACK, type Feedback, type RuleFeedback } from './approval/desk/feedback.ts'
export type { Quarantine, QuarantineView, WaitingDefinition } from './approval/desk/quarantine.ts'
export { type AcceptanceClaim, acceptanceMessage } from './approval/desk/quarantine.ts'
export type { Rules } from './approval/desk/rules.ts'
export { NOW_MS, SILENT_MS } from './approval/desk/watch.ts'
export type { WouldMatch } from './approval/grants/dry-run.ts'
export { boundsWords, refusedText } from './approval/grants/exception-words.ts'
export { lifetimeWords, networkWords, patternWords, toolPartWords } from './approval/grants/grant-words.ts'
export type { GivenGrant, Grants } from './approval/grants/registry.ts'
export { type RecalledCall, recallCall } from './approval/history/recalled-call.ts'
export type { SeenTool } from './approval/history/used-tools.ts'
export type { Ticket } from './approval/hold/ticket.ts'
export { OUTCOMES, type Outcome, type Refusal, type RefusedRisk } from './approval/outcome/outcome.ts'
export type { Permit } from './approval/outcome/permit.ts'
export { refusalText, refusalWords } from './approval/outcome/refusal-text.ts'
export { type BatchPlace, batchPlace, MAX_BATCH } from './approval/request/batch-key.ts'
export {
  cardVerbs,
  isAnswerOnly,
  isDrawnByUndo,
  type PermissionQuestion,
  permissionQuestion,
  USUAL_VERBS,
  undoFacts,
  type Verbs,
} from './approval/request/card-kind.ts'
export type { Judgement } from './approval/request/judgement.ts'
export { maskView } from './approval/request/masked-view.ts'
export {
  hiddenWords,
  matchesQueue,
  parseQueueFilter,
  type QueueFacts,
  type QueueTerm,
  queueFacts,
  queueOrder,
} from './approval/request/queue.ts'
export { type HeldSummary, summarizeHeld } from './approval/request/summary.ts'
export { type OpenedView, openView } from './approval/request/verified-view.ts'
export type { AlwaysOffer, GrantOffer, HeldCallView, RequestBody } from './approval/request/view.ts'
export { markOf, viewJson } from './approval/request/view.ts'
export type { RulesEdit } from './approval/rules/edit-rules.ts'
export type { Overruling } from './approval/rules/overruling.ts'
export type { PastEffect, PastEffects } from './approval/rules/past-effects.ts'
export type { RulesAnswer, RulesProposal } from './approval/rules/proposal.ts'
export { proposalDiff, proposalWords } from './approval/rules/proposal-words.ts'
export { readTarget } from './approval/rules/rule-target.ts'
export { rulesIn } from './approval/rules/rules-text.ts'
export {
  RULES_ACTS,
  type RulesChange,
  type RulesClaim,
  readRulesFile,
  rulesMessage,
  type SignedRules,
  verifyRules,
} from './approval/rules/signed-rules.ts'
export { type BundleFile, type BundleManifest, isBundleName, keyFingerprint } from './audit/bundle-manifest.ts'
export type { BundleReader, BundleTools, Digest } from './audit/bundle-reader.ts'
export { bundleWords } from './audit/bundle-words.ts'
export { publicFields } from './audit/key-history.ts'
export { type BundleFacts, type BundleVerdict, verifyBundle } from './audit/verify-bundle.ts'
export {
  type BundleKeys,
  type BundlePart,
  type BundleRange,
  type BundleSink,
  type BundleSource,
  writeBundle,
} from './audit/write-bundle.ts'
export { hostKind, isThisMachine, reachOf } from './call/address/classify.ts'
export { hostAndPort, urlTarget } from './call/address/host.ts'
export { type HostPattern, hostText, matchesHost, readHostPattern } from './call/address/host-pattern.ts'
export { shellQuote } from './call/arguments/command-words.ts'
export { patchSummary } from './call/arguments/patch-paths.ts'
export type { Agent, Call, FrozenCall, RestoredFile } from './call/call.ts'
export { type Description, type Descriptor, KINDS, type Kind } from './call/descriptor.ts'
export { freezeDefinition } from './call/freeze/tool-definition.ts'
export { canonicalJson } from './call/json/canonical.ts'
export { isJsonObject, type Json, type JsonObject } from './call/json/json.ts'
export { parseStrict, StrictJsonError } from './call/json/strict-parser.ts'
export { type Annotations, type ToolIdentity, type ToolRef, toolLabel } from './call/tool.ts'
export { isDecidingSubcommand } from './command/programs/deciding-subcommands.ts'
export { codePointsOf, rightToLeftRuns } from './display/direction.ts'
export type { SafeText } from './display/escape.ts'
export { safeJson, safeLines, safeText, sliceSafe } from './display/escape.ts'
export { fencedName, minuteText } from './display/formatting.ts'
export { type JsonSpan, jsonSpans } from './display/json-spans.ts'
export { jsonText } from './display/json-text.ts'
export { confusableWords } from './display/lookalike.ts'
export { findOddCharacters, type OddClass } from './display/odd-characters.ts'
export { displayWidth, wrapText } from './display/wrap.ts'
export { asCountersignError, assertNever, CountersignError, ERRORS, type ErrorCode } from './errors.ts'
export type { Effect, RunPlace, ToolResult } from './execute/execute.ts'
export { createGate, type JoinedSession } from './gate.ts'
export type { Gate } from './gate-handle.ts'
export type { AskOptions, HostAsked, HostGate, HostQuestion, HostTicket } from './host-gate.ts'
export {
  ACTION_TYPES,
  type ActionType,
  type Intent,
  type IntentScope,
  type IntentSign,
  type IntentThresholds,
  SIGN_KINDS,
  type SignKind,
} from './intent/model/intent.ts'
export { readIntent } from './intent/read-intent.ts'
export type { IntentTags } from './intent/tags.ts'
export { INTENT_THRESHOLDS } from './intent/thresholds.ts'
export { callStory, type StoryStep, subjectOf } from './journal/call-story.ts'
export {
  type Checkpoint,
  journalOrigin,
  parseCheckpoint,
  signCheckpoint,
  type Verifier,
  verifierKey,
  verifyCheckpoint,
} from './journal/checkpoint.ts'
export type { Damage, DamageKind } from './journal/damage.ts'
export { draftEntry, type EntryBody, type JournalEntry, parseEntry } from './journal/entry.ts'
export { ENTRY_KINDS, type EntryKind } from './journal/entry-kind.ts'
export { entryWords } from './journal/entry-words.ts'
export {
  digestOf,
  firstGateList,
  followGateLists,
  type GateList,
  type GateListChange,
  gateKeysOf,
  type ListedGate,
  nextGateList,
  readGateList,
  type SignedGateList,
  writeGateList,
} from './journal/gates/gate-list.ts'
export { createJournal, type Journal } from './journal/journal.ts'
export { appendLeaf, leafHash, rootOf, SpanBuilder } from './journal/merkle.ts'
export { type Archive, lastEntryBefore, type RotateParts, type Rotation, rotateJournal } from './journal/rotate.ts'
export { type JournalKeys, journalKeys } from './journal/signed-heads.ts'
export {
  type JournalSource,
  type JournalVerdict,
  type VerifiedJournal,
  verifyExport,
  verifyJournal,
} from './journal/verify.ts'
export { cosign, cosignedAt, witnessKey } from './journal/witness/cosignature.ts'
export { followJournal, type Witnessed } from './journal/witness/follow-journal.ts'
export { CONTAINMENT, isProjectSecret, isProtectedName } from './knowledge/containment.ts'
export type { GateOptions } from './open-context.ts'
export {
  type ReadKnowledge,
  readKnowledge,
  type TestedExample,
  testKnowledge,
} from './policy/authoring/knowledge-report.ts'
export { rowsFor, type ShownRow } from './policy/authoring/knowledge-rows.ts'
export { lintPolicy, type PolicyLint } from './policy/authoring/lint-policy.ts'
export { createHermeticJudge } from './policy/authoring/test-judge.ts'
export { TEST_PLACES } from './policy/authoring/test-places.ts'
export { formatTestResult, runPolicyTests, type TestResult } from './policy/authoring/test-runner.ts'
export type { Explanation, RuleExplanation, UnitExplanation } from './policy/evaluate/explain.ts'
export { formatExplanation } from './policy/evaluate/explain.ts'
export { definedCheckerNames } from './policy/load/merged-settings.ts'
export { type LoadedPolicy, type LoadPolicyOptions, loadPolicy } from './policy/load/policy.ts'
export { loadPreset } from './policy/load/preset.ts'
export { compileNameGlob, compilePathGlob } from './policy/match/glob.ts'
export { compileNames } from './policy/match/names.ts'
export type { CheckSettings } from './policy/model/builtin-checks.ts'
export { BUILTIN_CHECKS } from './policy/model/builtin-checks.ts'
export type { Circumstances, Places, UnseenChange, UnseenChanges } from './policy/model/circumstances.ts'
export {
  type Bounds,
  containmentText,
  type RuleBounds,
  type SandboxException,
  type SandboxRefusal,
} from './policy/model/containment.ts'
export type { Grant, GrantLifetime, GrantScope, OfferedLifetime } from './policy/model/grant.ts'
export { formatProblem, type PolicyProblem, positionsIn } from './policy/model/policy-problem.ts'
export type { CheckerProgram, PolicySet, Rule } from './policy/model/rule.ts'
export { SUPERVISIONS, type Supervision, supervisionRank } from './policy/model/supervision.ts'
export type { RuleRef, Verdict } from './policy/model/verdict.ts'
export { rulePlace, ruleWords } from './policy/model/verdict.ts'
export type { RefusedFile } from './policy/parse/document.ts'
export { type LoadedFile, loadPolicyFile } from './policy/parse/policy-file.ts'
export { readYaml } from './policy/parse/yaml-tree.ts'
export { PRESET_NAMES, type PresetName } from './policy/presets/preset-name.ts'
export { parseDuration } from './policy/schema/duration.ts'
export { validateNameGlob, validatePathGlob } from './policy/schema/glob-syntax.ts'
export { type HoursRange, isZone, parseHours } from './policy/schema/hours-range.ts'
export { policyJsonSchema } from './policy/schema/json-schema.ts'
export type { PolicyTest } from './policy/schema/test-case.ts'
export type { Approver, Approvers } from './ports/approvers.ts'
export type { BackupAges, BackupBounds, Backups, BackupTarget, Kept, Measured } from './ports/backups.ts'
export type * from './ports/changes.ts'
export { MOST_CHANGED_FILES } from './ports/changes.ts'
export type { Clock } from './ports/clock.ts'
export type { Crypto, Signer } from './ports/crypto.ts'
export { createFreshnessChecks, type FreshnessChecks } from './ports/file-freshness.ts'
export type { GateBoard, JoinRow } from './ports/gate-board.ts'
export type { GateKeys, RemovedKey } from './ports/gate-keys.ts'
export type { PolicyFile, PolicyFiles, PolicyVersions } from './ports/policy-files.ts'
export type { Heads, Owners, Ports, Programs } from './ports/ports.ts'
export type { PendingFiles, Repositories, RepositoryLinks, WorkTreeStates } from './ports/repositories.ts'
export type { RulesFile } from './ports/rules-file.ts'
export type { Sandbox, SandboxStatus } from './ports/sandbox.ts'
export type { SharedRows } from './ports/shared-rows.ts'
export type * from './ports/store.ts'
export { CALL_STATES, OPEN_STATES, WAITING_STATES } from './ports/store.ts'
export type { ClockDifference, StoreClock } from './ports/store-clock.ts'
export type { TargetEntry, TargetFacts, TargetState, Targets, TargetText, TargetTree } from './ports/targets.ts'
export type {
  CallTrace,
  Telemetry,
  TelemetryProblem,
  TracedCall,
  TracedEnd,
  TracedOperation,
  TraceStep,
} from './ports/telemetry.ts'
export { allTelemetry, readTraceparent, TRACE_STEPS, TRACED_OPERATIONS } from './ports/telemetry.ts'
export type * from './ports/workspace-files.ts'
export { compareDefinitions, DEFINITION_MEMBERS, type DefinitionChange } from './preview/diff/compare-definitions.ts'
export { diffTexts } from './preview/diff/hunks.ts'
export { type PatchPiece, patchPieces } from './preview/edits/patch-parser.ts'
export { effectSentence } from './preview/effect.ts'
export { readOwnPreview } from './preview/kinds/own.ts'
export { imageWords, type OwnImage, type OwnPart } from './preview/model/own-preview.ts'
export type {
  DiffHunk,
  DiffPreview,
  Preview,
  PreviewField,
  PreviewPart,
  PreviewTarget,
  UnseenFilePreview,
  UnseenPreview,
} from './preview/model/preview.ts'
export { CHANGE_WORDS } from './preview/model/preview.ts'
export { byteWords, countedWords } from './preview/targets/target-lookup.ts'
export type { ResumableGate } from './resumable-gate.ts'
export { type AssessedCall, assessCall } from './risk/assess-call.ts'
export { RISK_GLYPH, RISK_LEVELS, type RiskLevel, riskRank, toRiskLevel } from './risk/report/level.ts'
export type { RiskReason, RiskReport } from './risk/report/report.ts'
export { changedTargets } from './safety/changed-targets.ts'
export {
  type CheckAnswer,
  type Checker,
  type CheckInput,
  type Finding,
  numberOf,
  type SafetyReport,
} from './safety/checker.ts'
export { countWords, sizeWords } from './safety/checkers/backup.ts'
export { coreCheckers } from './safety/checkers/core-checkers.ts'
export { secretsChecker } from './safety/checkers/secrets.ts'
export { coverSecrets, type Masked, maskJson, maskText } from './secrets/mask.ts'
export { comparableMasks, type MaskedText } from './secrets/masked-lines.ts'
export { redactJson, redactText } from './secrets/redact.ts'
export { joinFound, scanText } from './secrets/scan-text.ts'
export type { SecretSpan } from './secrets/span.ts'
export {
  backUpTables,
  type CopiedTables,
  type CopyStep,
  type CopyTablesOptions,
  copyTables,
} from './tables/copy-tables.ts'
export type { LockedStore, StoreSnapshot, StoreState } from './tables/locked-store.ts'
export {
  count,
  countOrNull,
  createRowReader,
  type DatabaseRow,
  damagedRow,
  type RowReader,
} from './tables/row-reader.ts'
export { STORE_TABLES, type StoreRow, type StoreTable, type StoreValue, storeRowOf } from './tables/store-tables.ts'
export { type CallOptions, type Tool, type WrapOptions, type WrappedTool, wrapTool } from './wrap.ts'

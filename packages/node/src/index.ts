import './system/sqlite.ts' // first: it refuses a Node that is too old

export {
  approverKeyState,
  type LocalApprover,
  loadApprover,
  makeApprover,
  resealApprover,
} from './approvers/approver-key.ts'
export { enrol, openApprovers, readApprovers, removeApprover } from './approvers/approver-registry.ts'
export { changeRules } from './approvers/change-rules.ts'
export { decide, openApprover } from './approvers/decide.ts'
export { makeEnrolmentCode, spendEnrolmentCode } from './approvers/enrolment-code.ts'
export { beginRecovery, finishRecovery } from './approvers/recover-approver.ts'
export { makeRecoveryCodes, recoveryCodesLeft } from './approvers/recovery-codes.ts'
export { type ApartProof, isApart, keepApartProof, type Tier, tierOf } from './assurance-tier.ts'
export { applyUndo } from './backups/apply-undo.ts'
export { type KeptBackup, listBackups } from './backups/backups-folder.ts'
export { backupOfCall, backupOfChange, backupsSince } from './backups/find-backups.ts'
export { planHash, prepareUndo, stepWords } from './backups/undo-call.ts'
export { type BackupRef, planUndo, type UndoPlan, type UndoStep } from './backups/undo-plan.ts'
export { pathFrom, undoPreview } from './backups/undo-preview.ts'
export { verifyBundleFile, writeBundleFile } from './bundle/bundle-file.ts'
export { builtinCheckers } from './checkers/builtin-checkers.ts'
export { type FoundSecret, scanSecrets } from './checkers/secret-scanner.ts'
export { findBubblewrap, INSTALL_BUBBLEWRAP } from './contain/bubblewrap.ts'
export type { Limits } from './contain/limits.ts'
export { isInOwnNetworks } from './contain/network/own-networks.ts'
export { openSandbox } from './contain/open-sandbox.ts'
export { type Attempt, type Proof, proveSandbox } from './contain/probe.ts'
export { type ContainedEnd, type ContainedOptions, runContained } from './contain/run-contained.ts'
export type { SandboxReport } from './contain/sandbox-report.ts'
export {
  type ConfigFile,
  createConfigFile,
  deleteConfigFile,
  isWritable,
  readConfigFile,
  replaceConfigFile,
} from './files/config-file.ts'
export { isTooDeep, repeatedKey } from './files/config-json.ts'
export { isExecutable, isSameFile } from './files/file-identity.ts'
export { withFileLock } from './files/file-lock.ts'
export { type HeldFolder, holdFolder, inHeldFolder, inside, makeFolders, whileHeld } from './files/held-folder.ts'
export { copyTree, type HeldEntry, removeTree } from './files/held-tree.ts'
export { openOwnFolder, readOwnFile, replaceOwnFile, systemCode } from './files/private-file.ts'
export { realPath } from './files/real-path.ts'
export { type Home, openHome } from './home/home.ts'
export { withHomeLock } from './home/lock.ts'
export { openWorkspace } from './home/workspace.ts'
export { beginCopy, type HomeCopy, readCopy, unpackCopy } from './home-copy/home-copy.ts'
export { isMovedStore, markMoved } from './home-copy/moved-store.ts'
export { beginSharedBackup, beginSharedMove } from './home-copy/shared-copy.ts'
export { openGateKey, openWitnessKey } from './keys/home-keys.ts'
export { keyIdOf } from './keys/key-file.ts'
export { openCrypto } from './keys/node-crypto.ts'
export { openPushKey, type PushKey } from './keys/push-key.ts'
export { type OpenedGate, type OpenOptions, openGate, openPorts, placesOf } from './open-gate.ts'
export { type PasskeyProof, provePasskey } from './passkey-enforcement.ts'
export { openPolicyFiles, type PolicyPlaces } from './policy/policy-files.ts'
export { policyVersion } from './policy/policy-versions.ts'
export { isTrusted, type ProjectPolicy, readProject, readTrust, trustProject, untrust } from './policy/project-trust.ts'
export { rulesPath } from './policy/rules-file.ts'
export { agentFolder, agentProcess, isAttended, type ProcessStart, processStart } from './process/agent-process.ts'
export {
  type AgentSession,
  agentSessions,
  endAgentSession,
  findAgentSession,
  takeAgentSession,
} from './process/agent-sessions.ts'
export { openOwners, ownerOfProcess } from './process/call-owners.ts'
export { CommandFailed } from './process/command-failed.ts'
export { type EnclosingCall, findEnclosingCall, INSIDE } from './process/enclosing-call.ts'
export { endGroup, signalGroup } from './process/group.ts'
export { type Command, type Ended, type RunOptions, runCommand, unaskedEnvironment } from './process/run-command.ts'
export { type ControlAnswer, type ControlLine, controlService, type ServiceStatus } from './service/control-client.ts'
export type { ConnectOptions, ServiceAddress } from './service/dial.ts'
export { createLineReader } from './service/line-reader.ts'
export { connectGate, type RemoteGate } from './service/remote-gate.ts'
export {
  openAskingToken,
  rememberedPort,
  rememberPort,
  serviceSockets,
  signInsPath,
  takeServiceLock,
  writeAskingToken,
} from './service/runtime-files.ts'
export type { AskOptions } from './service/service-link.ts'
export * from './service/wire-protocol.ts'
export type { FollowedGates } from './sharing/followed-gates.ts'
export { newJoinCode } from './sharing/join-code.ts'
export { openHeads } from './store/checkpoint-file.ts'
export { type HomeStore, type HomeStoreOptions, knownJournal, loadPostgres, openHomeStore } from './store/home-store.ts'
export { type JoinOptions, joinStore } from './store/join-store.ts'
export { openArchive } from './store/journal-archive.ts'
export { openSqliteStore } from './store/sqlite-store.ts'
export { readMovedSetting, readStoreSetting, removeStoreSetting, writeStoreSetting } from './store/store-setting.ts'
export { systemClock } from './system/clock.ts'
export { createDeadlines } from './system/deadline-timer.ts'
export { keepHeapSmall } from './system/heap-growth.ts'
export { accountHome } from './system/os-account.ts'
export { openTargets } from './targets/target-inspector.ts'
export { type CopiedStore, type CopyStoreOptions, copyStore, type StorePlace } from './transfer/copy-store.ts'
export { useCopiedStore } from './transfer/use-copied-store.ts'

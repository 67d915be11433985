import type { FrozenCall } from '../../call/call.ts'
import { canonicalJson } from '../../call/json/canonical.ts'
import type { Json, JsonObject } from '../../call/json/json.ts'
import { toolLabel } from '../../call/tool.ts'
import { writtenEntry } from '../../journal/entry.ts'
import type { Bounds } from '../../policy/model/containment.ts'
import type { Crypto } from '../../ports/crypto.ts'
import type { EntryDraft } from '../../ports/store.ts'
import { callRedactor } from '../../secrets/redact.ts'
import type { SignedDecision } from '../decision/decision.ts'
import type { Judgement } from '../request/judgement.ts'

/** The first entry of every call: what was asked, its risk and the verdict. */
export function judgedEntry(judgement: Judgement, crypto: Crypto): EntryDraft {
  const { call, risk, verdict, safety, circumstances, supervision } = judgement
  const redactor = callRedactor(call.args, crypto)
  const clean = (value: Json): string => canonicalJson(redactor.json(value))
  const { agentPrompt, counters, created, grants, now, sandbox, leaving, seen, unseen } = circumstances
  const paths = clean(risk.paths.map((path) => [path.given, path.real, path.use]))
  const reasons = clean(risk.reasons.map((reason) => reason.text))
  // Written by hand in canonical order, for speed: every call has this entry, and it is the longest.
  const before =
    `"agent":${canonicalJson([...call.agent.parents, call.agent.name])},"args":${canonicalJson(redactor.args)},"asked":${askedText(judgement, clean)},"at":${canonicalJson(now)}` +
    `,"because":${clean(verdict.reasons)},"call":${canonicalJson(call.id)}` +
    `,"circumstances":{${agentPrompt === true ? '"agentPrompt":true,' : ''}"counters":${canonicalJson(counters)}${created === undefined ? '' : `,"created":${clean([...created])}`},"grants":${canonicalJson(grants.map(({ id }) => id))}` +
    `,"now":${canonicalJson(now)},"paths":${paths}${sandbox === undefined ? '' : `,"sandbox":"${sandbox}"`}` +
    `${leaving === undefined ? '' : `,"secrets":${clean({ from: leaving.from, full: leaving.isFull })}`}` +
    `${seen === undefined ? '' : `,"seen":${clean(seen.files.map(({ path, sha256 }) => [path, sha256]))}`}${unseenText(unseen, clean)}}` +
    (verdict.contain === undefined ? '' : `,"contain":${canonicalJson(verdict.contain as Json)}`) +
    `,"contributors":${canonicalJson(verdict.contributors.map(({ id }) => id))},"cwd":${clean(call.cwd)}` +
    `,"definition":${canonicalJson(call.tool.definition)},"described":"${call.descriptor.source}"` +
    `,"digest":"${call.digest}","does":"${call.descriptor.kind}"` +
    `,"findings":${clean(safety.findings.map(findingJson))},"grantKey":"${call.grantKey}","kind":"judged"` +
    `,"policy":${canonicalJson(verdict.policyHash)}` +
    (call.reasoning === null ? '' : `,"reasoning":${clean(call.reasoning)}`) +
    `,"risk":{"level":"${risk.level}","reasons":${reasons},"reversible":"${risk.reversible}"}` +
    `,"rule":${ruleText(judgement)},"said":${clean(call.said)}`
  const after = `"session":${canonicalJson(call.session)},"supervision":"${supervision}","tool":${canonicalJson(toolLabel(call.tool))}`
  return writtenEntry('judged', call.id, before, after)
}

/** What else is needed to judge the call again: hints, source and workspace. In canonical order. */
function askedText({ call, circumstances }: Judgement, clean: (value: Json) => string): string {
  const { workspace } = circumstances.places
  const hints = call.annotations === null ? '' : `"annotations":${canonicalJson({ ...call.annotations })},`
  const confirm = call.requiresConfirmation ? '"confirm":true,' : ''
  const where = workspace === call.cwd ? '' : `,"workspace":${clean(workspace)}`
  return `{${hints}${confirm}"source":"${call.source}"${where}}`
}

function ruleText({ verdict }: Judgement): string {
  const { file, id, layer, line } = verdict.rule
  return `{"file":${canonicalJson(file)},"id":${canonicalJson(id)},"layer":${canonicalJson(layer)},"line":${canonicalJson(line)}}`
}

/** The first changed files that nobody has seen, and how many there are. In canonical order. */
function unseenText(unseen: Judgement['circumstances']['unseen'], clean: (value: Json) => string): string {
  if (unseen === undefined) return ''
  const { everything, files } = unseen
  const first = files.slice(0, MOST_FILES).map(({ path, content }) => [path, content])
  return `,"unseen":${clean({ count: files.length, everything, files: first })}`
}

const MOST_FILES = 20

function findingJson(finding: { readonly checker: string; readonly status: string; readonly message: string }): Json {
  return { checker: finding.checker, status: finding.status, message: finding.message }
}

/** A person's decision: who, where, and in which words. */
export function decidedEntry(
  signed: SignedDecision,
  by: string,
  at: number,
  crypto: Crypto,
  args: JsonObject,
): EntryDraft {
  const { kind, code, edited = null, grant = null, reason = null } = signed.decision
  const redactor = callRedactor(args, crypto)
  // With nonce and code, the signature can be checked from the entry alone.
  const typed = code === undefined ? '' : `"code":${canonicalJson(redactor.json(code))},`
  const before =
    `"at":${canonicalJson(at)},"by":${canonicalJson(by)},"call":${canonicalJson(signed.held)},${typed}"decision":"${kind}"` +
    `,"edited":${canonicalJson(redactor.json(edited))},"grant":${canonicalJson(grant as unknown as Json)}` +
    `,"key":${canonicalJson(signed.approver)},"kind":"decided","nonce":${canonicalJson(signed.nonce)},"reason":${canonicalJson(redactor.json(reason))}` +
    `,"request":${canonicalJson(signed.requestDigest)}`
  const after = `"signature":${canonicalJson(signed.signature)},"signedAt":${canonicalJson(signed.at)},"surface":${canonicalJson(signed.surface)}`
  return writtenEntry('decided', signed.held, before, after)
}

/** The intent: who approved, whether the arguments were edited, and the sandbox if it is not the one that was judged. */
export function startedEntry(
  call: FrozenCall,
  by: string | null,
  isEdited: boolean,
  at: number,
  contain: Bounds | null,
): EntryDraft {
  const moved = contain === null ? '' : `,"contain":${canonicalJson(contain as unknown as Json)}`
  const before =
    `"at":${canonicalJson(at)},"by":${canonicalJson(by)},"call":${canonicalJson(call.id)}${moved}` +
    `,"digest":"${call.digest}","edited":${isEdited},"kind":"started"`
  return writtenEntry('started', call.id, before, '')
}

import type { Json } from '../call/json.ts'
import { toolLabel } from '../call/tool.ts'
import { draftEntry } from '../journal/entry.ts'
import { redactJson, redactText } from '../journal/redact.ts'
import type { Crypto } from '../ports/crypto.ts'
import type { EntryDraft } from '../ports/store.ts'
import type { SignedDecision } from './decision.ts'
import type { Judgement } from './judgement.ts'

/** The first entry of every call that could be frozen: what was asked, how it was rated, and what policy said. */
export function judgedEntry(judgement: Judgement, crypto: Crypto): EntryDraft {
  const { call, risk, verdict, safety, circumstances, supervision } = judgement
  return draftEntry(
    {
      kind: 'judged',
      call: call.id,
      tool: toolLabel(call.tool),
      definition: call.tool.definition,
      agent: [...call.agent.parents, call.agent.name],
      session: call.session,
      cwd: redactText(call.cwd, crypto),
      digest: call.digest,
      grantKey: call.grantKey,
      args: redactJson(call.args, crypto),
      said: call.said === null ? null : redactText(call.said, crypto),
      does: call.descriptor.kind,
      described: call.descriptor.source,
      risk: {
        level: risk.level,
        reversible: risk.reversible,
        reasons: redactJson(
          risk.reasons.map((reason) => reason.text),
          crypto,
        ),
      },
      supervision,
      rule: ruleText(judgement),
      contributors: verdict.contributors.map((rule) => rule.id),
      because: redactJson(verdict.reasons, crypto),
      policy: verdict.policyHash,
      findings: redactJson(safety.findings.map(findingJson), crypto),
      circumstances: {
        now: circumstances.now,
        counters: circumstances.counters,
        grants: circumstances.grants.map((grant) => grant.id),
        paths: redactJson(
          risk.paths.map((path) => [path.given, path.real, path.use]),
          crypto,
        ),
      },
    },
    circumstances.now,
  )
}

function ruleText({ verdict }: Judgement): Json {
  const { id, layer, file, line } = verdict.rule
  return { id, layer, file, line }
}

function findingJson(finding: { readonly checker: string; readonly status: string; readonly message: string }): Json {
  return { checker: finding.checker, status: finding.status, message: finding.message }
}

/** What a person decided, who, where, and in which words. */
export function decidedEntry(signed: SignedDecision, by: string, at: number, crypto: Crypto): EntryDraft {
  const { decision } = signed
  return draftEntry(
    {
      kind: 'decided',
      call: signed.held,
      decision: decision.kind,
      by,
      key: signed.approver,
      surface: signed.surface,
      request: signed.requestDigest,
      reason: decision.reason === undefined ? null : redactText(decision.reason, crypto),
      edited: decision.edited === undefined ? null : redactJson(decision.edited, crypto),
      grant: decision.grant === undefined ? null : (decision.grant as unknown as Json),
      signature: signed.signature,
    },
    at,
  )
}

/** A short entry about a call: a step taken, or its end. */
export function stepEntry(kind: string, callId: string, at: number, more: { readonly [key: string]: Json } = {}): EntryDraft {
  return draftEntry({ kind, call: callId, ...more }, at)
}

/** An entry that belongs to no call. */
export function gateEntry(kind: string, at: number, more: { readonly [key: string]: Json }): EntryDraft {
  return draftEntry({ kind, call: null, ...more }, at)
}

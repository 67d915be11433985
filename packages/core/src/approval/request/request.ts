import { canonicalJson } from '../../call/json/canonical.ts'
import type { Json } from '../../call/json/json.ts'
import type { Crypto } from '../../ports/crypto.ts'
import type { Ports } from '../../ports/ports.ts'
import type { TargetState } from '../../ports/targets.ts'
import type { Preview } from '../../preview/model/preview.ts'
import type { Judgement } from './judgement.ts'
import type { RequestBody } from './view.ts'

/** Binds call, targets, policy, supervision, preview, expiry and a nonce into one digest. */
export function buildRequest(
  judgement: Judgement,
  targets: readonly TargetState[],
  preview: Preview,
  expiresAt: number,
  { crypto, owners }: Pick<Ports, 'crypto' | 'owners'>,
): { readonly body: RequestBody; readonly requestDigest: string } {
  const { call, verdict, risk, supervision } = judgement
  const machine = owners.machine?.() ?? null
  const body: RequestBody = {
    v: 1,
    held: call.id,
    call: {
      tool: call.tool,
      args: call.args,
      cwd: call.cwd,
      session: call.session,
      agent: [...call.agent.parents, call.agent.name],
    },
    callDigest: call.digest,
    ...(machine === null ? {} : { machine }),
    targets,
    policyHash: verdict.policyHash,
    supervision,
    risk: risk.level,
    ...(verdict.contain === undefined ? {} : { contain: verdict.contain }),
    ...(verdict.passkey === true ? { passkey: true } : {}),
    previewHash: previewHash(preview, crypto),
    ...(call.reasoning === null ? {} : { reasoningHash: reasoningHash(call.reasoning, crypto) }),
    expiresAt,
    nonce: crypto.randomId(),
  }
  return { body, requestDigest: requestDigest(requestText(body), crypto) }
}

/** The bytes a person signs for. */
export function requestText(body: RequestBody): string {
  return canonicalJson(body as unknown as Json)
}

/** The digest of a request's canonical bytes: the same on every surface. */
export function requestDigest(text: string, crypto: Pick<Crypto, 'sha256'>): string {
  return crypto.sha256(`countersign/request/v1\0${text}`)
}

/**
 * What an approver read of the agent's thinking is part of what they sign. It does not run, so it is not in the digest of the call:
 * a grant holds whatever the agent thinks.
 */
export function reasoningHash(text: string, crypto: Pick<Crypto, 'sha256'>): string {
  return crypto.sha256(`countersign/reasoning/v1\0${text}`)
}

export function previewHash(preview: Preview, crypto: Pick<Crypto, 'sha256'>): string {
  return crypto.sha256(canonicalJson(preview as unknown as Json))
}

/** Not the beginning of the digest: that is shown to everybody, as the call's short code. */
const CODE_OFFSET = 32

/** The code a person types at `manual`: shown only with the details, different for every request. */
export function manualCode(digest: string): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
  let code = ''
  for (let at = CODE_OFFSET; at < CODE_OFFSET + 16; at += 4)
    code += alphabet[Number.parseInt(digest.slice(at, at + 4), 16) % alphabet.length]
  return code
}

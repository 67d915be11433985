import type { JsonObject, OpenedView, Preview } from '@countersign/core'

/** A held call as a surface opens it, with harmless defaults. */
export function openedView(given: {
  readonly preview?: Preview
  readonly args?: JsonObject
  readonly said?: string
  readonly reasoning?: string
  readonly risk?: OpenedView['view']['risk']['level']
  readonly supervision?: 'confirm' | 'manual'
  readonly tool?: string
  readonly agent?: readonly string[]
  readonly effect?: string
  readonly findings?: OpenedView['view']['findings']
  readonly offers?: OpenedView['view']['offers']
  readonly targets?: OpenedView['body']['targets']
  readonly expiresAt?: number
  readonly passkey?: true
}): OpenedView {
  const rule = { id: 'project-writes', layer: 'user', file: 'policy.yaml', line: 12 } as const
  const level = given.risk ?? 'medium'
  const supervision = given.supervision ?? 'confirm'
  const args = given.args ?? { command: 'rm x' }
  return {
    code: 'k7mp',
    view: {
      id: '3f2a91c0aabbccdd3f2a91c0aabbccdd',
      request: '{}',
      requestDigest: 'd'.repeat(64),
      preview: given.preview ?? { kind: 'json', value: args },
      risk: {
        level,
        reversible: 'no',
        magnitude: { reach: 'one' },
        target: null,
        reasons: [{ level, rule: 'x.y', text: 'deletes files' }],
        paths: [],
        hosts: [],
        parts: [],
        understood: true,
      },
      verdict: {
        supervision,
        rule,
        contributors: [rule],
        reasons: ['because'],
        checks: [],
        settings: {},
        timeoutMs: 300_000,
        policyHash: 'p'.repeat(64),
        grant: null,
        limit: null,
      },
      findings: given.findings ?? [],
      effect: given.effect ?? 'Calls `t`',
      said: given.said ?? null,
      ...(given.reasoning === undefined ? {} : { reasoning: given.reasoning }),
      confirmationMessage: null,
      toolDescription: null,
      offers: given.offers ?? [],
      openedAt: 0,
    },
    body: {
      v: 1,
      held: '3f2a91c0aabbccdd3f2a91c0aabbccdd',
      call: {
        tool: { server: null, name: given.tool ?? 'exec', definition: 'unbound' },
        args,
        cwd: '/project',
        session: null,
        agent: given.agent ?? ['agent'],
      },
      callDigest: 'c'.repeat(64),
      targets: given.targets ?? [],
      policyHash: 'p'.repeat(64),
      supervision,
      risk: level,
      previewHash: 'h'.repeat(64),
      expiresAt: given.expiresAt ?? 300_000,
      nonce: 'n',
      ...(given.passkey === undefined ? {} : { passkey: given.passkey }),
    },
  }
}

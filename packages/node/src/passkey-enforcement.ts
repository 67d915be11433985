import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Approvers,
  type Checker,
  createGate,
  type HeldCallView,
  openView,
  type PolicyFile,
  type PolicyFiles,
  type Ports,
  type RiskLevel,
  riskRank,
  signDecision,
} from '@countersign/core'
import { type LocalApprover, makeApprover } from './approvers/approver-key.ts'
import { openApprovers } from './approvers/approver-registry.ts'
import { builtinCheckers } from './checkers/builtin-checkers.ts'
import { type Home, openHome } from './home/home.ts'
import { openPorts, placesOf } from './open-gate.ts'
import { openPolicyFiles, readProjectLayer } from './policy/policy-files.ts'
import { readTrust } from './policy/project-trust.ts'

/** What trying showed about passkeys. */
export interface PasskeyProof {
  /** From high on, a decision without a passkey was refused, or nobody may approve at all. */
  readonly demanded: { readonly holds: boolean; readonly words: string }
  /** Somebody has one. */
  readonly enrolled: { readonly holds: boolean; readonly words: string }
}

/** A workspace an asker might name, by what its policy would be. */
interface Probed {
  readonly words: string
  readonly workspace?: string
  project(): readonly PolicyFile[]
}

/** Commands that are rated so wherever they are asked for. They are held in a store of their own, and never run. */
const PROBES: readonly { readonly level: RiskLevel; readonly command: string }[] = [
  { level: 'high', command: 'git reset --hard' },
  { level: 'critical', command: 'kubectl delete namespace production' },
]
const MOST_PROJECTS = 16

/**
 * Whether a stolen key or session could approve something of high or critical risk here: by holding such calls under
 * this home's policy, in a gate of its own that is gone afterwards, and deciding them with a key that is enrolled there
 * and is no passkey. Nothing of it is seen in the person's own queue or journal. SECURITY: A2, a tier is proven.
 */
export async function provePasskey(
  home: Home,
  options: { readonly policyFiles?: PolicyFiles; readonly checkers?: readonly Checker[] } = {},
): Promise<PasskeyProof> {
  const files = options.policyFiles ?? openPolicyFiles({ home, workspace: home.dir })
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-proof-')))
  try {
    return {
      demanded: await tryAll(home, files, root, options.checkers ?? []),
      enrolled: enrolledWords((await openApprovers(home).list()).filter(({ kind }) => kind === 'passkey').length),
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function enrolledWords(count: number): PasskeyProof['enrolled'] {
  if (count === 0) return { holds: false, words: 'no passkey is enrolled' }
  return { holds: true, words: count === 1 ? 'one passkey is enrolled' : `${count} passkeys are enrolled` }
}

async function tryAll(
  home: Home,
  files: PolicyFiles,
  root: string,
  checkers: readonly Checker[],
): Promise<PasskeyProof['demanded']> {
  const [empty, other] = [join(root, 'project'), openHome(join(root, 'home'))]
  mkdirSync(empty)
  const approver = makeApprover(other, { name: 'doctor' })
  const probed = workspacesOf(home)
  for (const { words, workspace = empty, project } of probed) {
    const places = placesOf(other, workspace)
    const ports: Ports = {
      ...(await openPorts(other, places)),
      approvers: onlyApprover(approver),
      sandbox: { status: () => ({ kind: 'works', name: 'bubblewrap' }) },
      policyFiles: { version: () => 'probe', read: async () => [...(await sharedLayers(files)), ...project()] },
    }
    const opened = await createGate(ports, {
      places,
      session: 'session',
      checkers: [...builtinCheckers(ports), ...checkers],
    })
    try {
      for (const probe of PROBES) {
        const wrong = await tryOne(probe, opened, ports, approver)
        if (wrong !== null) return { holds: false, words: `${wrong}, in ${words}` }
      }
    } finally {
      await opened.gate.close()
    }
  }
  return {
    holds: true,
    words: `tested: high-risk calls need a passkey, in ${probed.length} kinds of workspaces`,
  }
}

/** An asker names its workspace, and may write anything there: an empty one, a bad one, and every one that is trusted. */
function workspacesOf(home: Home): readonly Probed[] {
  const bad = { layer: 'project', name: 'policy.yaml', text: 'version: 1\nrules: none\n', trusted: false } as const
  const trusted = [...readTrust(home).keys()].slice(0, MOST_PROJECTS)
  return [
    { words: 'a workspace without a policy', project: () => [] },
    { words: 'a workspace with an invalid policy', project: () => [bad] },
    {
      words: 'a workspace with an unreadable policy',
      project: () => [{ ...bad, text: '', unreadable: 'it cannot be read' }],
    },
    ...trusted.map((workspace) => ({
      words: `the trusted project \`${workspace}\``,
      workspace,
      project: () => readProjectLayer(home, workspace),
    })),
  ]
}

async function sharedLayers(files: PolicyFiles): Promise<readonly PolicyFile[]> {
  return (await files.read()).filter(({ layer }) => layer !== 'project')
}

function onlyApprover({ approver }: LocalApprover): Approvers {
  return { find: async (id) => (id === approver.id ? approver : undefined), list: async () => [approver] }
}

/** What is wrong, in words; null when a passkey is demanded, or policy denies the call whoever decides. */
async function tryOne(
  { level, command }: (typeof PROBES)[number],
  { gate, desk }: Awaited<ReturnType<typeof createGate>>,
  { crypto, clock }: Ports,
  { signer }: LocalApprover,
): Promise<string | null> {
  const gone = new AbortController()
  const held = new Promise<HeldCallView>((resolve) => {
    const stop = gate.subscribe((event) => {
      if (event.kind !== 'held') return
      stop()
      resolve(event.view)
    })
  })
  // As a command that could run in a sandbox: the loosest case.
  const asked = gate.ask({ tool: 'execute_command', args: { command }, containable: true }, gone.signal)
  try {
    const first = await Promise.race([held, asked])
    if ('kind' in first)
      return first.kind === 'refusal' ? null : `the policy lets a ${level}-risk call run without approval`
    const opened = openView(first, crypto)
    if (riskRank(first.risk.level) < riskRank(level)) return `a ${level}-risk call is rated ${first.risk.level}`
    const decision = { kind: 'approve', reason: 'a probe of doctor', code: opened.code } as const
    const receipt = await desk.decide(
      first.id,
      signDecision(opened, decision, signer, { surface: 'doctor', at: clock.now() }),
    )
    const isDemanded = !receipt.accepted && receipt.state === 'held' && opened.body.passkey === true
    return isDemanded ? null : `a ${level}-risk call could be approved without a passkey`
  } finally {
    gone.abort()
    await asked
  }
}

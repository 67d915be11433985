import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEntry, verifyJournal } from '@countersign/core'
import { changeRules, openApprover, openGate, openHome } from '@countersign/node'
import { bundledChild, runChild } from '@countersign/testing/faults/bundled-child'
import { describe, expect, it } from 'vitest'

const child = bundledChild('rules-crash-child')

interface Ended {
  readonly how: 'killed' | 'applied'
  readonly rules: readonly unknown[]
}

/** Kills a change of the rules before its nth change of a file, reopens the home, and checks its contents. */
async function crash(n: number): Promise<Ended> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-kill-')))
  mkdirSync(join(root, 'project'))
  try {
    const printed = await runChild(child, [root, String(n)])
    if (printed !== 'applied' && !printed.startsWith('SIGKILL'))
      throw new Error(`the child failed by itself: ${printed}`)
    const at = `killed before change ${n} of a file`
    const home = openHome(join(root, 'home'))
    const { desk, gate, ports } = await openGate({ home: home.dir, workspace: join(root, 'project') })
    expect(await gate.policyProblems(), `${at}: the policy loads`).toEqual([])
    const { size } = await ports.store.head()
    const entries = (await ports.store.entries(1, size)).map(({ line }) => parseEntry(line))
    const recorded = entries.filter((entry) => entry?.kind === 'policy-set')
    const text = readFileSync(join(home.policyFolder, '50-approvers.yaml'), 'utf8')
    expect(recorded.at(-1)?.['file'], `${at}: the file is the last change in the journal`).toBe(
      ports.crypto.sha256(text),
    )
    const rules = await desk.rules().list()
    expect(rules).toHaveLength(recorded.length)
    expect(existsSync(join(home.dir, 'rules', 'pending')), `${at}: nothing is left unfinished`).toBe(false)
    expect((await desk.rules().changes()).map(({ seq }) => seq)).toEqual(recorded.map((entry) => entry?.['change']))
    const verdict = await verifyJournal(ports.store, {
      crypto: ports.crypto,
      publicKeys: [ports.signer.publicKey],
      kept: await ports.heads.kept(),
    })
    expect(verdict, `${at}: the journal verifies`).toMatchObject({ kind: 'intact' })
    const proposal = await desk.rules().propose({ kind: 'set', conditions: { tool: 'third' }, supervision: 'deny' })
    await changeRules(desk, { proposal }, { approver: openApprover(home, { name: 'ana' }), surface: 'test' })
    expect(await desk.rules().list(), `${at}: the next change applies`).toHaveLength(recorded.length + 1)
    await gate.close()
    return { how: printed === 'applied' ? 'applied' : 'killed', rules }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

describe('A30: kill -9 at every point of a change of the rules', () => {
  it('leaves the rules before or after it, as the journal says, and the next change applies', async () => {
    const lengths = new Set<number>()
    let n = 1
    for (let how: Ended['how'] = 'killed'; how === 'killed'; n += 1) {
      const ended = await crash(n)
      how = ended.how
      if (how === 'killed') lengths.add(ended.rules.length)
      expect(n).toBeLessThan(100)
    }
    expect(n).toBeGreaterThan(6)
    // Some kills came before the entry of the journal, some after it.
    expect([...lengths].toSorted()).toEqual([1, 2])
  }, 300_000)
})

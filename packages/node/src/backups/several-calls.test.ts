import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { openHome } from '../home/home.ts'
import { applyUndo } from './apply-undo.ts'
import { openBackups } from './backups-folder.ts'
import { type BackupRef, planUndo } from './undo-plan.ts'

const BOUNDS = { files: 100, bytes: 1_000_000 }
const AGES = { keepMs: 7 * 86_400_000, mostBytes: 1_000_000_000, approved: false }

function place() {
  const root = temporaryFolder()
  const home = openHome(join(root, 'home'))
  const at = (name: string) => join(root, 'work', name)
  mkdirSync(at('lib'), { recursive: true })
  let now = 1_000_000
  const backups = openBackups(home, { now: () => now })
  const write = (name: string, text: string) => writeFileSync(at(name), text)
  /** One call: a copy, the change, and the note of what it left behind. */
  async function call(id: string, names: readonly string[], change: () => void): Promise<BackupRef> {
    now += 1_000
    const targets = names.map((name) => ({ real: at(name), use: 'write', entry: null }) as const)
    const kept = await backups.keep(id, targets, BOUNDS, AGES)
    change()
    await backups.note(kept.name)
    return kept
  }
  async function undo(...refs: readonly BackupRef[]) {
    const plan = await planUndo(home, refs)
    await applyUndo(home, refs, plan)
    return plan
  }
  const text = (name: string) => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : null)
  return { home, at, write, call, undo, text }
}

describe('undoing several calls together', () => {
  it('brings each file back to before the first of them, whatever their order', async () => {
    const { write, call, undo, text } = place()
    write('a', 'one')
    const first = await call('first', ['a'], () => write('a', 'two'))
    const second = await call('second', ['a', 'b'], () => {
      write('a', 'three')
      write('b', 'made')
    })
    const third = await call('third', ['b'], () => write('b', 'changed'))
    const plan = await undo(third, first, second)
    expect(plan.calls).toEqual(['first', 'second', 'third'])
    expect(plan.steps.every(({ since }) => since === 'same')).toBe(true)
    expect([text('a'), text('b')]).toEqual(['one', null])
  })

  it('brings back a file that one wrote in a folder that another deleted', async () => {
    const { at, write, call, undo, text } = place()
    write('lib/x', 'old')
    write('lib/y', 'y')
    const first = await call('first', ['lib/x'], () => write('lib/x', 'new'))
    const second = await call('second', ['lib'], () => rmSync(at('lib'), { recursive: true }))
    await undo(first, second)
    expect([text('lib/x'), text('lib/y')]).toEqual(['old', 'y'])
    expect(lstatSync(at('lib')).isDirectory()).toBe(true)
  })

  it('removes what one made and the next one moved', async () => {
    const { at, write, call, undo, text } = place()
    const first = await call('first', ['a'], () => write('a', 'made'))
    const second = await call('second', ['a', 'b'], () => renameSync(at('a'), at('b')))
    await undo(first, second)
    expect([text('a'), text('b')]).toEqual([null, null])
  })

  it('never removes what somebody else made between them, and says what they changed', async () => {
    const { write, call, undo, text, home } = place()
    write('lib/x', 'old')
    const first = await call('first', ['lib'], () => write('lib/x', 'new'))
    write('lib/mine', 'mine')
    write('lib/x', 'by a person')
    const second = await call('second', ['lib'], () => write('lib/x', 'newest'))
    const plan = await planUndo(home, [first, second])
    expect(plan.steps.map(({ path, since }) => [path.split('/').at(-1), since])).toEqual([['x', 'changed']])
    expect(plan.left.map((path) => path.split('/').at(-1))).toEqual(['mine'])
    await undo(first, second)
    expect([text('lib/x'), text('lib/mine')]).toEqual(['old', 'mine'])
  })

  it('is refused if a file changed after the plan was shown, also one that had changed before', async () => {
    const { write, call, text, home } = place()
    write('a', 'one')
    const first = await call('first', ['a'], () => write('a', 'two'))
    write('a', 'by a person')
    const plan = await planUndo(home, [first])
    write('a', 'by a person, again')
    await expect(applyUndo(home, [first], plan)).rejects.toMatchObject({ code: 'CS_STALE' })
    expect(text('a')).toBe('by a person, again')
  })

  it('takes only the chosen files, and the folders that they need', async () => {
    const { at, write, call, undo, text } = place()
    write('lib/x', 'x')
    write('lib/y', 'y')
    const first = await call('first', ['lib'], () => rmSync(at('lib'), { recursive: true }))
    await undo({ ...first, only: [at('lib/x')] })
    expect([text('lib/x'), text('lib/y')]).toEqual(['x', null])
  })
})

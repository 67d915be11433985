import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { createTwoFilesPatch } from 'diff'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runTool } from '../tool-run.fixture.ts'
import { replaceFiles } from './file-transaction.ts'

const BEFORE = 'one\ntwo\nthree\n'

function project(): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'a.txt'), BEFORE)
  return folder
}

const apply = (patch: string, folder: string) => runTool('apply_diff', { patch }, folder)
const text = (folder: string, path = 'a.txt') => readFileSync(join(folder, path), 'utf8')

const CHANGE = '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n'
const CREATE = '--- /dev/null\n+++ b/new/b.txt\n@@ -0,0 +1 @@\n+hello\n'
const REMOVE = '--- a/a.txt\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-one\n-two\n-three\n'

describe('apply_diff', () => {
  it('changes, creates and deletes', async () => {
    const folder = project()
    expect((await apply(CHANGE + CREATE, folder)).text).toBe('patched `a.txt`\ncreated `new/b.txt`')
    expect([text(folder), text(folder, 'new/b.txt')]).toEqual(['one\n2\nthree\n', 'hello\n'])
    const other = project()
    expect((await apply(REMOVE, other)).text).toBe('deleted `a.txt`')
    expect(existsSync(join(other, 'a.txt'))).toBe(false)
  })

  it.each([
    ['a context that differs in one letter', CHANGE.replace(' three', ' Three'), 'does not fit'],
    ['wrong counts', CHANGE.replace('-1,3', '-1,9'), 'malformed'],
    ['a patch without hunks', '--- a/a.txt\n+++ b/a.txt\n', 'malformed'],
    ['a missing file', CHANGE.replaceAll('a.txt', 'z.txt'), 'does not exist'],
    ['a new file that already exists', CREATE.replace('new/b.txt', 'a.txt'), 'already exists'],
    ['a deletion that leaves lines', REMOVE.replace('-1,3', '-1,2').replace('-three\n', ''), 'leaves lines'],
    ['a rename', 'diff --git a/a.txt b/b.txt\nrename from a.txt\nrename to b.txt\n', 'only lines of text'],
    [
      'a change of mode',
      `diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755\n${CHANGE}`,
      'only lines of text',
    ],
    [
      'another patch format',
      '*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch\n',
      'not a unified diff',
    ],
    ['the same file twice', CHANGE + CHANGE, 'twice'],
    ['plain text', 'please change two into 2', 'not a unified diff'],
  ])('refuses %s, and writes nothing', async (_, patch, message) => {
    const folder = project()
    await expect(apply(patch, folder)).rejects.toThrow(message)
    expect([text(folder), existsSync(join(folder, 'new'))]).toEqual([BEFORE, false])
  })

  it('writes none of several files if one does not match', async () => {
    const folder = project()
    await expect(apply(CREATE + CHANGE.replace('-two', '-zwei'), folder)).rejects.toThrow('does not fit')
    expect(existsSync(join(folder, 'new'))).toBe(false)
  })

  it('restores everything if a file cannot be replaced after others were', async () => {
    const folder = project()
    const files = ['a.txt', 'gone.txt', 'new/sub/b.txt'].map((path) => join(folder, path))
    writeFileSync(join(folder, 'gone.txt'), 'x\n')
    const [changed, removed, made] = files.map((real, at) => ({
      real,
      shown: real,
      text: at === 1 ? null : 'new\n',
      before: lstatSync(real, { throwIfNoEntry: false }) ?? null,
    }))
    if (changed === undefined || removed === undefined || made === undefined) throw new Error('no files')
    // Named twice, it exists after all files were checked.
    const late = { real: join(folder, 'late'), shown: 'late', text: 'new\n', before: null }
    await expect(replaceFiles([changed, removed, made, late, late])).rejects.toThrow('has changed since')
    expect(readdirSync(folder).sort()).toEqual(['a.txt', 'gone.txt'])
    expect([text(folder), text(folder, 'gone.txt')]).toEqual([BEFORE, 'x\n'])
  })

  it('refuses a file below another file of the same patch, and one that changed after it was read', async () => {
    const folder = project()
    const below = CREATE.replace('new/b.txt', 'b') + CREATE.replace('new/b.txt', 'b/c')
    await expect(apply(below, folder)).rejects.toThrow('inside another')
    const real = join(folder, 'a.txt')
    const before = lstatSync(real)
    writeFileSync(real, 'longer than before\n')
    await expect(replaceFiles([{ real, shown: 'a.txt', text: null, before }])).rejects.toThrow('has changed since')
    expect(readdirSync(folder)).toEqual(['a.txt'])
  })

  it('turns any text into any other with the patch between them', async () => {
    const folder = project()
    const someText = fc.array(fc.constantFrom('a', 'b', '', ' c', '-d', '+e', '@@ f'), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(someText, someText, async (old, now) => {
        const [before, after] = [`${old.join('\n')}\nend\n`, `${now.join('\n')}\nend\n`]
        fc.pre(before !== after)
        writeFileSync(join(folder, 'a.txt'), before)
        await apply(createTwoFilesPatch('a/a.txt', 'b/a.txt', before, after), folder)
        expect(text(folder)).toBe(after)
      }),
      { numRuns: 60 },
    )
  })
})

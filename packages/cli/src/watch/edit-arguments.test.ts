import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Home, openHome } from '@countersign/node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { clearEditFolders, editArguments } from './edit-arguments.ts'

/** A shell command as the editor; `$1` is the file. */
function editor(line: string): { readonly env: NodeJS.ProcessEnv; path(name: string): string } {
  const folder = temporaryFolder()
  const program = join(folder, 'editor')
  writeFileSync(program, `#!/bin/sh\ncd '${folder}'\n${line}\n`)
  chmodSync(program, 0o755)
  return { env: { ...process.env, VISUAL: '', EDITOR: program }, path: (name) => join(folder, name) }
}

function newHome(): Home {
  return openHome(join(temporaryFolder(), 'home'))
}

describe('editing arguments', () => {
  it('returns the saved values with their types, from a private file that is then deleted', async () => {
    const { env, path } = editor('stat -c %a "$1" > mode; echo "$1" > where; sed -i "s/true/false/; s/12/13/" "$1"')
    const home = newHome()
    const answer = await editArguments({ flag: true, limit: 12, name: 'x' }, home, env)
    expect(answer).toEqual({ kind: 'edited', args: { flag: false, limit: 13, name: 'x' } })
    expect(readFileSync(path('mode'), 'utf8')).toBe('600\n')
    const where = readFileSync(path('where'), 'utf8').trim()
    expect(dirname(dirname(where))).toBe(home.run)
    expect(statSync(home.run).mode & 0o777).toBe(0o700)
    expect(existsSync(where) || existsSync(dirname(where))).toBe(false)
  })

  it.each([
    ['nothing was saved', 'true', { kind: 'unchanged' }],
    ['only the order of keys changed', `printf '{"b":2,"a":1}' > "$1"`, { kind: 'unchanged' }],
    [
      'the text is not JSON',
      'echo nonsense > "$1"',
      { kind: 'failed', message: expect.stringContaining('not valid JSON') },
    ],
    ['the text is a list', 'echo "[1]" > "$1"', { kind: 'failed', message: expect.stringContaining('JSON object') }],
    ['the editor failed', 'exit 3', { kind: 'failed', message: expect.stringContaining('exited with 3') }],
    ['Ctrl-C ended the editor', `sed -i s/1/9/ "$1"; kill -INT $$`, { kind: 'unchanged' }],
    ['another signal ended the editor', `sed -i s/1/9/ "$1"; kill -PIPE $$`, { kind: 'unchanged' }],
    ['the file is gone', 'rm "$1"', { kind: 'failed', message: expect.stringContaining('nothing changed') }],
  ])('changes nothing if %s', async (_, line, expected) => {
    expect(await editArguments({ a: 1, b: 2 }, newHome(), editor(line).env)).toEqual(expected)
  })

  it('opens a long text as the text itself, with the extension of its file', async () => {
    const { env, path } = editor('cp "$1" seen; echo "$1" > where; sed -i s/one/two/ "$1"')
    const args = { path: 'src/a.ts', content: 'const one = 1\n\tconst b = "x"\n', mode: 'w' }
    const answer = await editArguments(args, newHome(), env)
    expect(answer).toEqual({ kind: 'edited', args: { ...args, content: 'const two = 1\n\tconst b = "x"\n' } })
    expect(readFileSync(path('seen'), 'utf8')).toBe(args.content)
    expect(readFileSync(path('where'), 'utf8')).toMatch(/\/content\.ts\n$/)
    expect(await editArguments(args, newHome(), env, true)).toMatchObject({ kind: 'edited' })
    expect(readFileSync(path('seen'), 'utf8')).toContain('"path": "src/a.ts"')
  })

  it.each([
    ['adds no line break that an editor put at the end', 'a\nb', 'echo >> "$1"', { kind: 'unchanged' }],
    [
      'keeps a line break that was removed',
      'a\nb\n',
      'printf "a\\nb" > "$1"',
      { kind: 'edited', args: { text: 'a\nb' } },
    ],
    [
      'refuses bytes that are no text',
      'a\nb\n',
      'printf "\\377" > "$1"',
      { kind: 'failed', message: expect.stringContaining('UTF-8') },
    ],
    [
      'edits what a file can’t hold as JSON',
      'a\n\ud800',
      'sed -i s/a/c/ "$1"',
      { kind: 'edited', args: { text: 'c\n\ud800' } },
    ],
  ])('of a text %s', async (_, text, line, expected) => {
    expect(await editArguments({ text }, newHome(), editor(line).env)).toEqual(expected)
  })

  it('keeps the shell around an editor alive if the editor ignores Ctrl-C', async () => {
    const { env } = editor(`trap '' INT; kill -INT $PPID; sed -i s/1/9/ "$1"`)
    expect(await editArguments({ a: 1 }, newHome(), env)).toEqual({ kind: 'edited', args: { a: 9 } })
  })

  it('deletes files left by killed processes, and none of live ones', () => {
    const home = newHome()
    const { pid: dead } = spawnSync('true')
    mkdirSync(join(home.run, `edit-${dead}-left`), { recursive: true, mode: 0o700 })
    mkdirSync(join(home.run, `edit-${process.ppid}-lives`))
    clearEditFolders(home)
    expect(readdirSync(home.run)).toEqual([`edit-${process.ppid}-lives`])
  })

  it('deletes its folder before a signal ends this process', async () => {
    const home = newHome()
    const { env, path } = editor('touch ready; while [ ! -e done ]; do sleep 0.05; done')
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
    onTestFinished(() => kill.mockRestore())
    const before = process.listenerCount('SIGTERM')
    const answer = editArguments({ a: 1 }, home, env)
    await expect.poll(() => existsSync(path('ready'))).toBe(true)
    expect(readdirSync(home.run)).toHaveLength(1)
    process.listeners('SIGTERM').at(-1)?.('SIGTERM')
    expect(readdirSync(home.run)).toEqual([])
    expect(kill).toHaveBeenCalledWith(process.pid, 'SIGTERM')
    writeFileSync(path('done'), '')
    expect(await answer).toMatchObject({ kind: 'failed' })
    expect(process.listenerCount('SIGTERM')).toBe(before)
  })
})

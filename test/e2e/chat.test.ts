import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ChatPlace, chatPlace, startChat } from '@countersign/testing/command/chat-terminal'
import { findPtyMaker, onTerminal } from '@countersign/testing/command/pty'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { spawnCli } from '@countersign/testing/command/spawn-cli'
import { isAlive } from '@countersign/testing/process-alive'
import { describe, expect, it } from 'vitest'

const ENTER = '\r'
const ESC = '\x1b'
const CTRL_C = '\x03'
const POLICY = 'version: 1\npreset: balanced\n'
const TOOL_GRANT = /everything `delete_file` does for `chat` in this session.*\n.* (\w) until this session ends/
const PATIENCE = { timeout: 30_000, interval: 50 }

async function held(at: ChatPlace): Promise<number> {
  const { stdout } = await runInProcess(['held', '--json'], { cwd: at.cwd, home: at.home })
  return (JSON.parse(stdout) as readonly unknown[]).length
}

async function outcomes({ cwd, home }: ChatPlace): Promise<readonly unknown[]> {
  const { stdout } = await runInProcess(['history', '--json'], { cwd, home })
  return (JSON.parse(stdout) as readonly { readonly outcome: unknown }[]).map(({ outcome }) => outcome)
}

async function grants({ cwd, home }: ChatPlace): Promise<number> {
  const { stdout } = await runInProcess(['grants', 'list', '--json'], { cwd, home })
  return (JSON.parse(stdout) as readonly unknown[]).length
}

describe('chat without a terminal', { timeout: 60_000 }, () => {
  it('prints one line and exits with its code; --message answers in plain lines (34, 72)', async () => {
    const at = chatPlace(POLICY, { 'a.txt': 'one' })
    at.write(
      'script.yaml',
      'version: 1\nturns:\n  - text: I look.\n    calls: [{ tool: read_file, args: { path: a.txt } }]\n  - text: It says one.\n',
    )
    const [alone, said] = await Promise.all([
      spawnCli(['chat', '--script', 'script.yaml', '--home', at.home], at.cwd),
      spawnCli(['chat', '--script', 'script.yaml', '--home', at.home, '--message', 'hello'], at.cwd),
    ])
    expect(alone.code).toBe(124)
    expect(alone.stderr).toMatch(/^countersign: chat needs a terminal[^\n]*\[CS_NO_INTERFACE\]\n$/)
    expect(said).toMatchObject({ code: 0, stdout: '\nI look.\n\nIt says one.\n' })
    expect(said.stderr).toMatch(/✔ completed Reads `a\.txt`/)
  })
})

const maker = findPtyMaker()

describe.runIf(maker !== null)(onTerminal('chat on a terminal', maker), { timeout: 120_000 }, () => {
  const made = maker ?? 'script'

  it('ignores keys typed ahead, decides nothing by Esc, decides the second of two calls first, names a sub-agent, follows a resize, and runs edited arguments (25, 26, 29, 38, 41, 43, 47, 48)', async () => {
    const at = chatPlace(
      `${POLICY}rules:\n  - { id: shell, tool: execute_command, supervision: automatic, up_to: high }\n`,
      {
        'one.txt': '1',
        'two.txt': '2',
        'three.txt': '3',
      },
    )
    at.write(
      'script.yaml',
      `version: 1
turns:
  - text: I run something first.
    calls: [{ tool: execute_command, args: { command: "echo waiting; while [ ! -e go ]; do sleep 0.1; done" } }]
  - text: I delete the first.
    calls: [{ tool: delete_file, args: { path: one.txt } }]
    if_refused:
      - text: I heard the first no.
        calls: [{ tool: read_file, args: { path: one.txt } }]
  - text: I delete two at once.
    calls:
      - { tool: delete_file, args: { path: two.txt } }
      - { tool: delete_file, args: { path: three.txt } }
  - text: A helper does the next.
    calls: [{ tool: delegate, args: { agent: helper, task: delete the fourth } }]
  - text: The helper writes.
    calls: [{ tool: write_file, args: { path: .env, content: "asked=1\\n" } }]
  - text: The helper is done.
  - text: All is done.
`,
    )
    const editor = join(at.home, 'editor')
    const first = 'if [ ! -e seen ]; then touch seen; echo the editor waits; read word; fi'
    writeFileSync(editor, `#!/bin/sh\n${first}\nsed -i s/asked/edited/ "$1"\n`)
    chmodSync(editor, 0o755)
    const chat = startChat(at, made, 'chat --script script.yaml', { EDITOR: editor })
    await chat.shows('type a message')

    chat.type(`go${ENTER}`)
    await chat.shows('│ waiting')
    chat.type('yy')
    await chat.shows(/^❯ yy/m)
    at.write('go', '')
    await chat.shows('[Approve]')
    expect(await held(at)).toBe(1)
    expect(chat.screen()).toMatch(/^❯ yy/m)
    expect(existsSync(at.path('one.txt'))).toBe(true)
    chat.type(ESC)
    await chat.shows('Esc decides nothing')
    chat.type('n')
    await chat.printed('I heard the first no.')
    expect(chat.all()).toMatch(/✖ rejected {2}Deletes `one\.txt`[^\n]*\n {2}└ rejected by /)

    await chat.shows('2 held')
    await chat.shows(/1 of 2[\s\S]*\[Approve\]/)
    chat.type('j')
    await chat.shows(/Deletes `three\.txt`[\s\S]*\[Approve\]/)
    chat.type('y')
    await chat.printed(/✔ completed Deletes `three\.txt`/)
    expect([existsSync(at.path('two.txt')), existsSync(at.path('three.txt'))]).toEqual([true, false])
    chat.resize(40, 12)
    await chat.shows(/╭─{38}╮[\s\S]*\[Approve\][\s\S]*y approve/)
    expect(chat.screen().split('\n').length).toBeLessThanOrEqual(12)
    chat.resize(80, 24)
    await chat.shows(/╭─{78}╮[\s\S]*\[Approve\]/)
    chat.type('n')
    await chat.printed(/✖ rejected {2}Deletes `two\.txt`/)

    await chat.shows(/agent chat › helper[\s\S]*\[Approve\]/)
    chat.type('e')
    await chat.shows('the editor waits')
    chat.type(CTRL_C)
    await chat.shows(/nothing changed[\s\S]*\[Approve\]/)
    chat.type('e')
    await chat.shows(/1 [+] edited=1[\s\S]*\[Approve\]/)
    chat.type('y')
    await chat.printed('All is done.')
    expect(chat.all()).toMatch(/✔ completed \[helper\] [^\n]*\n(?: {12}[^\n]*\n)? {2}└ approved edited by /)
    expect(at.read('.env')).toBe('edited=1\n')
    // The text typed ahead is still in the input line and was not sent.
    expect(chat.screen()).toMatch(/^❯ yy/m)
    chat.type(CTRL_C)
    await chat.shows('type a message')
    expect(await chat.leaves()).toBe(0)
  })

  it('sends a long paste whole, withdraws by Ctrl-C, kills a whole process tree, and lets an open card expire (27, 32)', async () => {
    const at = chatPlace(
      `${POLICY}rules:
  - { id: shell, tool: execute_command, supervision: automatic, up_to: high, contain: false }
  - { id: quick, tool: delete_file, path: soon.txt, supervision: confirm, timeout: 8s }
`,
      { 'soon.txt': 's', 'late.txt': 'l' },
    )
    at.write(
      'script.yaml',
      `version: 1
turns:
  - { when: the-very-end-of-it, text: I read all of it. }
  - when: run
    text: I run something long.
    calls: [{ tool: execute_command, args: { command: "sleep 987 & echo $! > inner; echo on its way; sleep 986" } }]
  - when: delete late
    text: I delete the late one.
    calls: [{ tool: delete_file, args: { path: late.txt } }]
  - when: delete soon
    text: I delete the soon one.
    calls: [{ tool: delete_file, args: { path: soon.txt } }]
  - { when: delete soon, text: "It expired, I go on." }
`,
    )
    const chat = startChat(at, made, 'chat --script script.yaml')
    await chat.shows('type a message')

    const pasted = `${'many words\n'.repeat(909)}the-very-end-of-it`
    chat.type(`\x1b[200~${pasted}\x1b[201~`)
    await chat.shows(`[pasted ${pasted.length.toLocaleString('en')} characters]`)
    chat.type(ENTER)
    await chat.printed('I read all of it.')
    expect(chat.all()).toContain(`… ${pasted.length.toLocaleString('en')} characters in all`)

    chat.type(`run it${ENTER}`)
    await chat.shows('│ on its way')
    const inner = Number(at.read('inner'))
    expect(isAlive(inner)).toBe(true)
    chat.type(CTRL_C)
    await chat.printed('stopped; nothing is running or waiting any more')
    await expect.poll(() => isAlive(inner), PATIENCE).toBe(false)

    chat.type(`delete late${ENTER}`)
    await chat.shows(/Deletes `late\.txt`[\s\S]*\[Approve\]/)
    chat.type(CTRL_C)
    await chat.printed(/◌ withdrawn Deletes `late\.txt`/)
    expect(await held(at)).toBe(0)

    chat.type(`delete soon${ENTER}`)
    await chat.printed(/Deletes `soon\.txt`/)
    await chat.printed(/◌ expired {3}Deletes `soon\.txt`/)
    await chat.printed('It expired, I go on.')
    await chat.shows('type a message')
    expect([existsSync(at.path('soon.txt')), existsSync(at.path('late.txt'))]).toEqual([true, true])
    chat.type(`/quit${ENTER}`)
    expect(await chat.ends()).toBe(0)
    expect((await outcomes(at)).slice(0, 2)).toEqual(['expired', 'withdrawn'])
  })

  it('removes the card while an approved command runs, so that the person can type', async () => {
    const at = chatPlace(`${POLICY}rules:\n  - { id: shell, tool: execute_command, supervision: confirm }\n`)
    const script = `version: 1
turns:
  - text: I wait.
    calls: [{ tool: execute_command, args: { command: "echo begun; while [ ! -e go ]; do sleep 0.1; done" } }]
  - text: I waited.
`
    at.write('script.yaml', script)
    const chat = startChat(at, made, 'chat --script script.yaml')
    await chat.shows('type a message')
    chat.type(`go${ENTER}`)
    await chat.shows('[Approve]')
    chat.type('y')
    await chat.shows('│ begun')
    chat.type('free')
    await chat.shows(/▸ running[\s\S]*^❯ free/m)
    expect(chat.screen()).not.toMatch(/\[Approve\]|approve · n reject/)
    at.write('go', '')
    await chat.printed('▎ I waited.')
  })

  it('grants allow-all for one tool and session, lists and revokes it, and never for a shell by name (49, 50, 51)', async () => {
    const at = chatPlace(POLICY, { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' })
    at.write(
      'script.yaml',
      `version: 1
turns:
  - text: A shell first.
    calls: [{ tool: execute_command, args: { command: rm c.txt } }]
  - text: Then a tool.
    calls: [{ tool: delete_file, args: { path: a.txt } }]
  - text: And again.
    calls: [{ tool: delete_file, args: { path: b.txt } }]
  - text: All is done.
`,
    )
    const first = startChat(at, made, 'chat --script script.yaml')
    await first.shows('type a message')
    first.type(`go${ENTER}`)
    await first.shows(/rm c\.txt[\s\S]*\[Approve\]/)
    first.type('g')
    await first.shows('pick one, or Esc')
    expect(first.screen()).not.toMatch(/everything execute_command|every.*execute_command/i)
    first.type(ESC)
    await first.shows('[Approve]')
    first.type('n')
    await first.shows(/Deletes `a\.txt`[\s\S]*\[Approve\]/)
    first.type('g')
    await first.shows(TOOL_GRANT)
    first.type(TOOL_GRANT.exec(first.screen())?.[1] ?? '')
    await first.shows('press y to approve and allow this')
    first.type('y')
    await first.printed('All is done.')
    expect([existsSync(at.path('a.txt')), existsSync(at.path('b.txt')), existsSync(at.path('c.txt'))]).toEqual([
      false,
      false,
      true,
    ])
    first.type(`/grants${ENTER}`)
    await first.shows(/❯ \w{8} {2}any call of delete_file, session \w+, used 1×/)
    first.type(ESC)
    await first.shows('type a message')
    first.type(`/quit${ENTER}`)
    expect(await first.ends()).toBe(0)

    at.write('a.txt', 'a')
    at.write(
      'again.yaml',
      'version: 1\nturns:\n  - text: Once more.\n    calls: [{ tool: delete_file, args: { path: a.txt } }]\n',
    )
    const second = startChat(at, made, 'chat --script again.yaml')
    await second.shows('type a message')
    second.type(`go${ENTER}`)
    await second.shows(/Deletes `a\.txt`[\s\S]*\[Approve\]/)
    second.type('g')
    await second.shows(TOOL_GRANT)
    second.type(TOOL_GRANT.exec(second.screen())?.[1] ?? '')
    await second.shows('press y to approve and allow this')
    second.type('y')
    await second.printed(/✔ completed Deletes `a\.txt`/)
    await second.shows('ready')
    second.type(`/grants${ENTER}`)
    await second.shows(/❯ \w{8} {2}any call of delete_file/)
    const before = await grants(at)
    second.type('d')
    await expect.poll(() => grants(at), PATIENCE).toBe(before - 1)
    second.type(CTRL_C)
    await second.shows('type a message')
    second.type(`/quit${ENTER}`)
    expect(await second.ends()).toBe(0)
  })
})

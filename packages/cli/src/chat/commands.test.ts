import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readScript, scriptedModel } from '@countersign/agent'
import { decide, openApprover, openGate } from '@countersign/node'
import type { ChatEvent } from '@countersign/terminal/chat'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openedKey } from '../home/approver-key.ts'
import type { Io } from '../terminal/io.ts'
import { chatCommands } from './commands.ts'
import { openConversation } from './conversation.ts'

const SECRET = `ghp_${'x1Y2z3A4b5'.repeat(3)}abcdef`
const SCRIPT = `version: 1
turns:
  - text: I note it.
    calls: [{ tool: write_file, args: { path: a.txt, content: "new\\n" } }]
  - text: Done.
`

const DELETING = `version: 1
turns:
  - text: I delete it.
    calls: [{ tool: delete_file, args: { path: a.txt } }]
`

/** A conversation that approves every held call, unless nobody is there. */
async function open(script = SCRIPT, isApproved = true) {
  const folder = temporaryFolder()
  const cwd = join(folder, 'project')
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'a.txt'), 'old\n')
  const opened = await openGate({ home: join(folder, 'home'), workspace: cwd })
  const conversation = openConversation({
    opened,
    model: scriptedModel(readScript(script, 'test')),
    name: 'chat',
  })
  onTestFinished(() => conversation.close())
  const approver = openApprover(opened.home, { name: 'ana' })
  const events: ChatEvent[] = []
  conversation.subscribe((event) => {
    events.push(event)
    if (event.kind !== 'held' || !isApproved) return
    void decide(
      opened.desk,
      event.opened.view,
      { kind: 'approve' },
      { approver, surface: 'test', crypto: opened.ports.crypto },
    )
  })
  const commands = chatCommands(conversation, openedKey(approver), { cwd } as Io)
  const run = async (name: string, rest = ''): Promise<readonly string[]> =>
    (await commands.find((one) => one.name === name)?.run(rest)) ?? ['there is no such command']
  return { cwd, conversation, run, events, text: () => readFileSync(join(cwd, 'a.txt'), 'utf8') }
}

describe('a command that fails', () => {
  it('is failed in chat, history and journal, with its exit code and the end of its output without secrets', async () => {
    const failing = `version: 1
turns:
  - text: I try it.
    calls: [{ tool: execute_command, args: { command: "echo ${SECRET}; echo no; exit 3" } }]
  - text: It failed.
`
    const { conversation, events } = await open(failing)
    await conversation.say('go')
    expect(events.find(({ kind }) => kind === 'over')).toMatchObject({ state: 'failed', why: 'exit code 3' })
    const [past] = await conversation.opened.desk.history()
    expect(past?.outcome).toBe('failed')
    const entries = await conversation.opened.ports.store.entriesOf(past?.id ?? '')
    const failed = entries.map(({ line }) => line).find((line) => line.includes('"kind":"failed"')) ?? ''
    expect(JSON.parse(failed)).toMatchObject({ exit: 3, detail: 'exit code 3', output: expect.stringMatching(/\nno$/) })
    expect(failed).not.toContain(SECRET)
  })
})

describe('chat commands', () => {
  it('/settings shows the current settings', async () => {
    const { run, cwd } = await open()
    const settings = (await run('settings')).join('\n')
    for (const one of [/^preset +balanced$/m, /^model +script\/test$/m, /^tier +T0: /m, /^policy +no files/m])
      expect(settings).toMatch(one)
    expect(settings).toContain(cwd)
    expect(await run('model')).toEqual([expect.stringContaining('script/test')])
  })

  it('/undo restores what the last call changed, as a call that needs approval', async () => {
    const { run, conversation, events, text } = await open()
    await conversation.say('go')
    expect(text()).toBe('new\n')
    expect(await run('undo')).toEqual(['undone: 1 change restored'])
    expect(text()).toBe('old\n')
    expect(events.filter(({ kind }) => kind === 'held')).toHaveLength(1)
    await expect(run('undo', 'ffffffff')).rejects.toThrow('no call with a backup')
  })

  it('/export writes the conversation to a private file, without secrets, and overwrites nothing', async () => {
    const { run, conversation, cwd } = await open()
    await conversation.say(`use ${SECRET} for it`)
    const [json = '', markdown = ''] = await run('export', 'talk')
    expect([json, markdown]).toEqual([`saved ${cwd}/talk.json`, `saved ${cwd}/talk.md`])
    for (const name of ['talk.json', 'talk.md']) {
      const path = join(cwd, name)
      const written = readFileSync(path, 'utf8')
      expect(written).not.toContain(SECRET)
      expect(written).toContain('I note it.')
      expect(statSync(path).mode & 0o777).toBe(0o600)
    }
    await expect(run('export', 'talk')).rejects.toThrow('EEXIST')
  })

  it('/clear during a held call ends it on the screen too, and discards the old agent', async () => {
    const { run, conversation, events } = await open(DELETING, false)
    const working = conversation.say('go')
    await expect.poll(() => events.some(({ kind }) => kind === 'held')).toBe(true)
    const cleared = run('clear')
    expect(conversation.say('too early')).toBe(null)
    await cleared
    await working
    const asked = events.flatMap((event) => (event.kind === 'requested' ? [event.callId] : []))
    const over = events.flatMap((event) => (event.kind === 'over' ? [[event.callId, event.state]] : []))
    expect(over).toEqual(asked.map((id) => [id, 'withdrawn']))
    expect(events.findLast(({ kind }) => kind === 'working')).toMatchObject({ isWorking: false })
    expect(conversation.transcript().steps).toEqual([])
    expect(conversation.say('go')).not.toBe(null)
  })

  it('/clear makes the agent forget and keeps the session', async () => {
    const { run, conversation } = await open()
    await conversation.say('go')
    const { session } = conversation.opened.gate
    await run('clear')
    expect(conversation.transcript().steps).toEqual([])
    expect(conversation.opened.gate.session).toBe(session)
  })
})

describe('/settings', () => {
  it('shows what a setting would change, applies it with the code, lists it, and takes it back', async () => {
    const { conversation, run } = await open()
    const rules = conversation.opened.desk.rules()
    const shown = await run('settings', 'write_file deny')
    expect(shown).toEqual(expect.arrayContaining([expect.stringContaining('supervision: deny')]))
    expect(await rules.list()).toEqual([])
    await expect(run('settings', 'apply aaaa')).rejects.toMatchObject({ code: 'CS_DECISION_CODE' })
    const code = shown.at(-1)?.split(' ').at(-1) ?? ''
    expect(await run('settings', `apply ${code}`)).toEqual([
      'change 1 applied: write_file: deny; /settings undo reverts it',
    ])
    expect((await run('settings')).join('\n')).toContain('1. write_file: deny')
    const undo = /apply (\w+) <reason>$/.exec((await run('settings', 'undo')).at(-1) ?? '')?.[1]
    await expect(run('settings', `apply ${undo}`)).rejects.toMatchObject({ code: 'CS_DECISION_CODE' })
    await run('settings', `apply ${undo} too strict`)
    expect(await rules.list()).toEqual([])
  })

  it.each(['write_file', 'write_file sometimes', 'rm -rf x never', 'apply'])('explains %j', async (rest) => {
    const { run, conversation } = await open()
    await expect(run('settings', rest)).rejects.toMatchObject({
      code: expect.stringMatching(/^CS_(?:USAGE|DECISION_CODE)$/),
    })
    expect(await conversation.opened.desk.rules().list()).toEqual([])
  })
})

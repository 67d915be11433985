import { existsSync } from 'node:fs'
import { chatPlace, startChat } from '@countersign/testing/command/chat-terminal'
import { findPtyMaker, onTerminal } from '@countersign/testing/command/pty'
import { spawnCli } from '@countersign/testing/command/spawn-cli'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

describe('the demo in its own process', () => {
  it('lets held calls expire if nobody can answer, reports it, and exits', {
    timeout: 90_000,
  }, async () => {
    const { stdout, code } = await spawnCli(['demo'], temporaryFolder())
    expect(stdout).toContain('every held call expires after 2 s')
    expect(stdout.match(/held +→ expired/g)).toHaveLength(6)
    expect(stdout).toMatch(/✔ journal verified/)
    expect(code).toBe(0)
  })
})

const maker = findPtyMaker()

describe.runIf(maker !== null)(onTerminal('the demo on a terminal', maker), () => {
  it('is a chat with the inbox beside it, and verifies its journal on exit (46, 48)', {
    timeout: 90_000,
  }, async () => {
    const at = chatPlace('version: 1\npreset: balanced\n')
    const chat = startChat(at, maker ?? 'script', 'demo')
    await chat.printed(/Web inbox \(link works once, within 30 s\):\s+http:\/\/localhost:\d+\/#ticket=/)
    await chat.printed(/✔ completed Changes `notes\.txt` · edit_file · notice/)
    await chat.shows(/RETRIES=30[\s\S]*\[Approve\]/)
    const folder = /\/\S+countersign-demo-\w+/.exec(chat.all())?.[0] ?? ''
    expect(existsSync(folder)).toBe(true)
    chat.type('n')
    await chat.shows(/agent demo › helper[\s\S]*\[Approve\]/)
    chat.type('\x03')
    await chat.printed('stopped; nothing is running or waiting any more')
    chat.type('/quit\r')
    await chat.printed(/✔ journal verified: \d+ entries, intact/)
    expect(await chat.ends()).toBe(0)
    expect(existsSync(folder)).toBe(false)
  })
})

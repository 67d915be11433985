import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

const SETTINGS =
  '{\n  "model": "opus", // mine\n  "env": { "ANTHROPIC_API_KEY": "sk-ant-api03-abcdefghijklmnopqrstuvwxyz" }\n}\n'
const PROJECT = 'project'

/** A private account, and how to run the command in it. */
function account() {
  const root = temporaryFolder()
  const write = (path: string, text: string, mode = 0o644): string => {
    const file = join(root, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    chmodSync(file, mode)
    return file
  }
  const read = (path: string): string => readFileSync(join(root, path), 'utf8')
  mkdirSync(join(root, PROJECT))
  mkdirSync(join(root, 'bin'))
  mkdirSync(join(root, 'account'))
  const env = { PATH: `${join(root, 'bin')}:/usr/bin:/bin`, XDG_RUNTIME_DIR: join(root, 'runtime') }
  const run = (line: string, input?: string) =>
    runInProcess([...line.split(' '), '--account-home', join(root, 'account')], {
      cwd: join(root, PROJECT),
      home: join(root, 'home'),
      env,
      ...(input === undefined ? {} : { columns: 120, input }),
    })
  /** The tests run from a clone, so writing needs the explicit flag. */
  const init = (line = '', input?: string) => run(`init --allow-unstable-path ${line}`.trim(), input)
  /** A program that prints its version. */
  const program = (name: string, version: string) =>
    write(`bin/${name}`, `#!/bin/sh\n[ "$1" = --version ] && echo "${version} (test)"\n`, 0o755)
  return { root, write, read, run, init, program }
}

/** An account with Claude Code in use. */
function withClaudeCode(version = '2.1.327') {
  const one = account()
  one.program('claude', version)
  one.write('account/.claude/settings.json', SETTINGS)
  return { ...one, settings: () => one.read('account/.claude/settings.json') }
}

describe('countersign init', () => {
  it('shows the change without tokens and keys, asks once, writes, and says how to prove and undo it', async () => {
    const { init, settings, root } = withClaudeCode()
    const { stdout, stderr, code } = await init('', 'yes\n')
    expect(code).toBe(0)
    expect(stdout).toContain(`Claude Code 2.1.327 (${join(root, 'bin/claude')}): will be behind the gate`)
    expect(stdout).toContain('+   "hooks": {')
    expect(stdout).toContain('--token …')
    const token = /--token ([0-9a-f]{32})/.exec(settings())?.[1] ?? ''
    expect(token).not.toBe('')
    expect(`${stdout}${stderr}`).not.toContain(token)
    expect(stdout).not.toContain('sk-ant-api03-abc')
    expect(settings()).toContain('"onFailure": "block"')
    expect(settings()).toContain('// mine')
    expect(stderr).toContain('behind the gate: Claude Code.')
    expect(stderr).toContain('countersign init --undo')
    expect(stderr).toContain('To test the agents: countersign doctor --hosts')
  })

  it('changes nothing when it runs again, and keeps what was chosen', async () => {
    const { init, settings, root, read } = withClaudeCode()
    await init('--yes --in . --ask host')
    const before = settings()
    const chosen = read('home/hosts/claude-code.json')
    expect(JSON.parse(chosen)).toMatchObject({ within: [join(root, PROJECT)], asking: 'host' })
    const { stderr, code } = await init('--yes')
    expect(stderr).toContain('nothing to change: Claude Code')
    expect(code).toBe(0)
    expect(settings()).toBe(before)
    expect(read('home/hosts/claude-code.json')).toBe(chosen)
    await init('--yes --ask desk')
    expect(JSON.parse(read('home/hosts/claude-code.json'))).toMatchObject({
      within: [join(root, PROJECT)],
      asking: 'desk',
    })
    expect(settings()).toBe(before)
  })

  it.each([
    ['\n', 'is Enter'],
    ['y\n', 'is y'],
    ['', 'is the end of input'],
  ])('writes nothing if the answer is %j', async (input) => {
    const { init, settings, root } = withClaudeCode()
    const { stderr, code } = await init('', input)
    expect(stderr).toContain('nothing was changed')
    expect(code).toBe(1)
    expect(settings()).toBe(SETTINGS)
    expect(existsSync(join(root, 'home/hosts'))).toBe(false)
  })

  it('only prints the plan without a terminal, and says what to do', async () => {
    const { init, settings } = withClaudeCode()
    const { stdout, stderr, code } = await init()
    expect(stdout).toContain('"hooks"')
    expect(stderr).toContain('pass `--yes`')
    expect(code).toBe(1)
    expect(settings()).toBe(SETTINGS)
    expect((await init('--dry-run')).code).toBe(0)
    expect((await init('--dry-run --json')).json()).toMatchObject({
      agents: [{ agent: 'claude-code', version: '2.1.327', written: false, files: [{ change: 'edit' }] }],
    })
    expect(settings()).toBe(SETTINGS)
  })

  it.each([
    ['2.1.294', false],
    ['2.1.295', true],
    ['2.2.0', true],
    ['unknown', false],
  ])('writes `onFailure` for Claude Code %s: %s', async (version, isWritten) => {
    const { init, settings } = withClaudeCode(version)
    await init('--yes')
    expect(settings().includes('onFailure')).toBe(isWritten)
  })

  it('does not wait for a program that hangs when it is asked for its version', async () => {
    const { init, write, settings } = withClaudeCode()
    write('bin/claude', '#!/bin/sh\nexec sleep 600\n', 0o755)
    const { stdout } = await init('--yes')
    expect(stdout).toContain('its version is unknown')
    expect(settings()).toContain('--token')
  })

  it('runs no program of the project, and none of a relative folder', async () => {
    const { init, write, root } = account()
    const trap = `#!/bin/sh\ntouch ${join(root, 'ran')}\n`
    write('project/node_modules/.bin/claude', trap, 0o755)
    write('account/.claude/settings.json', '{}')
    const { stdout } = await init('--dry-run')
    expect(stdout).toContain('Claude Code (settings only)')
    expect(existsSync(join(root, 'ran'))).toBe(false)
  })

  it('refuses the path of a clone unless it is allowed, and still shows the change', async () => {
    const { run, settings } = withClaudeCode()
    const { stdout, stderr, code } = await run('init --yes')
    expect(stdout).toContain('"hooks"')
    expect(stderr).toMatch(
      /this Countersign runs from .*; install it with `npm install -g countersign`.*\[CS_CLIENT_CONFIG\]/,
    )
    expect(code).toBe(125)
    expect(settings()).toBe(SETTINGS)
  })

  it('continues with the others if one agent has settings that can’t be edited', async () => {
    const { init, write, read, settings } = withClaudeCode()
    write('account/.gemini/settings.json', '{ "theme": ')
    const { stdout, stderr, code } = await init('--yes')
    expect(stdout).toContain('it is not valid JSON; fix it first')
    expect(stderr).toContain('behind the gate: Claude Code.')
    expect(code).toBe(1)
    expect(settings()).toContain('--token')
    expect(read('account/.gemini/settings.json')).toBe('{ "theme": ')
  })

  it('sets up only the agents that are named, also one that was not found', async () => {
    const { init, settings, read } = withClaudeCode()
    expect((await init('--yes --only gemini-cli')).code).toBe(0)
    expect(settings()).toBe(SETTINGS)
    expect(read('account/.gemini/settings.json')).toContain('86400000')
    expect((await init('--only claude')).stderr).toContain('known agents: claude-code, codex')
    expect((await account().init()).stderr).toContain('no coding agent was found')
  })

  it('writes each agent in its own format', async () => {
    const { init, read, root } = account()
    const agents = ['claude-code', 'codex', 'gemini-cli', 'copilot', 'opencode', 'cursor', 'vscode', 'cline', 'goose']
    const { code } = await init(`--yes --only ${agents.join(',')}`)
    expect(code).toBe(0)
    const hooks = (path: string) => JSON.parse(read(`account/${path}`)).hooks
    expect(hooks('.codex/hooks.json').PreToolUse[0].hooks[0]).toMatchObject({ type: 'command', timeout: 86_400 })
    expect(hooks('.gemini/settings.json').BeforeTool[0].hooks[0].timeout).toBe(86_400_000)
    expect(hooks('.copilot/hooks/countersign.json').preToolUse[0].timeoutSec).toBe(86_400)
    expect(hooks('.cursor/hooks.json').preToolUse[0]).toMatchObject({ failClosed: true, timeout: 86_400 })
    expect(hooks('.vscode/countersign-hooks.json').PreToolUse[0].command).toContain('hook vscode PreToolUse')
    expect(hooks('.agents/plugins/countersign/hooks/hooks.json').PreToolUse).toHaveLength(1)
    expect(statSync(join(root, 'account/Documents/Cline/Hooks/PreToolUse')).mode & 0o777).toBe(0o700)
    const plugin = join(root, 'account/.config/opencode/plugins/countersign.js')
    expect(spawnSync(process.execPath, ['--check', plugin]).status).toBe(0)
    expect((await init(`--yes --only ${agents.join(',')}`)).stderr).toContain('nothing to change: Claude Code, Codex')
    const undone = await init('--undo --yes')
    expect(undone.code).toBe(0)
    expect(readdirSync(join(root, 'account'))).toEqual([])
  })

  it('does not take folders that it can’t read for every folder', async () => {
    const { init, write, read } = withClaudeCode()
    await init('--yes --in .')
    write('home/hosts/claude-code.json', '{', 0o600)
    const { stdout, code } = await init('--yes')
    expect(stdout).toContain('choose its folders again')
    expect(code).toBe(1)
    expect((await init('--yes --in .')).code).toBe(0)
    expect(JSON.parse(read('home/hosts/claude-code.json'))).toMatchObject({ asking: 'desk' })
  })

  it('offers the rules that an agent has of its own, and adds them only at a terminal', async () => {
    const { init, write, settings, root } = withClaudeCode()
    expect((await init('--yes')).stderr).not.toContain('Rules:')
    write('account/.claude/settings.json', '{ "permissions": { "deny": ["Bash(rm:*)"] } }')
    const { stderr, code } = await init('--yes --import-rules')
    expect(stderr).toContain('Rules: Claude Code has 1 of its own')
    expect(code).toBe(1)
    expect(settings()).toContain('--token')
    expect(existsSync(join(root, 'home/policy.d'))).toBe(false)
  })

  it('names settings that turn hooks off', async () => {
    const { init, write } = withClaudeCode()
    write('project/.claude/settings.json', '{ "disableAllHooks": true }')
    expect((await init('--dry-run')).stdout).toMatch(/hooks are turned off in .*project\/\.claude\/settings\.json/)
  })

  it('writes the local settings of a project, and refuses a link that leads out of it', async () => {
    const { init, read, write, root } = withClaudeCode()
    expect((await init('--yes --project --only claude-code')).code).toBe(0)
    expect(read('project/.claude/settings.local.json')).toContain('hook claude-code PreToolUse')
    await init('--undo --yes')
    expect(readdirSync(join(root, PROJECT))).toEqual([])
    write('elsewhere/settings.json', '{}')
    spawnSync('ln', ['-s', join(root, 'elsewhere'), join(root, PROJECT, '.gemini')])
    const { stdout } = await init('--yes --project --only gemini-cli')
    expect(stdout).toContain('it leads out of the project')
    expect(read('elsewhere/settings.json')).toBe('{}')
  })

  it('refuses to run inside a gated call, because an agent could take itself out of the gate', async () => {
    const { root } = withClaudeCode()
    const one = (line: string) =>
      runInProcess([...line.split(' '), '--account-home', join(root, 'account')], {
        cwd: join(root, PROJECT),
        home: join(root, 'home'),
        env: { PATH: join(root, 'bin'), COUNTERSIGN_INSIDE: 'call-1' },
      })
    for (const line of ['init --yes', 'init --undo --yes', 'init --dry-run'])
      expect((await one(line)).stderr).toContain('[CS_DENIED]')
  })
})

describe('a hook line in settings', () => {
  const lineOf = async () => {
    const { init, settings } = withClaudeCode()
    await init('--yes')
    const hooks = JSON.parse(settings().replace(/ \/\/ mine/, '')).hooks
    return {
      before: hooks.PreToolUse[0].hooks[0].command as string,
      report: hooks.SessionEnd[0].hooks[0].command as string,
    }
  }

  it('refuses the tool if the program behind it is missing, and a report never fails', async () => {
    const { before, report } = await lineOf()
    const without = (line: string) => line.replace(/^\S+/, '/nowhere/node')
    const refused = spawnSync('/bin/sh', ['-c', without(before)], { encoding: 'utf8' })
    expect(refused.status).toBe(2)
    expect(refused.stderr).toContain(
      'Countersign did not answer, so this tool call is refused. Run: countersign doctor --hosts',
    )
    expect(spawnSync('/bin/sh', ['-c', without(report)], { encoding: 'utf8' })).toMatchObject({
      status: 0,
      stdout: '',
      stderr: '',
    })
  })
})

describe('countersign init --undo', () => {
  it('restores every file byte for byte, after showing it and asking', async () => {
    const { init, settings, root } = withClaudeCode()
    await init('--yes')
    expect((await init('--undo', 'no\n')).stderr).toContain('nothing was changed')
    expect(settings()).toContain('--token')
    const { stdout, stderr } = await init('--undo', 'yes\n')
    expect(stdout).toContain('restored byte for byte')
    expect(stdout).not.toMatch(/--token [0-9a-f]/)
    expect(stderr).toContain('1 file undone')
    expect(settings()).toBe(SETTINGS)
    expect(readdirSync(join(root, 'home/hosts'))).toEqual(['undo'])
    expect((await init('--undo --yes')).stderr).toContain('nothing to undo')
  })

  it('removes only the hooks from a file that was edited since, and says so', async () => {
    const { init, settings, write } = withClaudeCode()
    await init('--yes')
    write('account/.claude/settings.json', settings().replace('"opus"', '"sonnet"'))
    expect((await init('--undo --yes')).stdout).toContain('you have edited it, so only the hooks are removed')
    expect(settings()).toBe(SETTINGS.replace('"opus"', '"sonnet"'))
  })

  it('removes hooks that no record knows, such as after the home was lost', async () => {
    const { init, settings, root } = withClaudeCode()
    await init('--yes')
    rmSync(join(root, 'home'), { recursive: true })
    expect((await init('--undo --yes')).stdout).toContain('its original content was not recorded')
    expect(settings()).toBe(SETTINGS)
  })

  it('leaves alone what it can’t read now, and undoes it once that is fixed', async () => {
    const { init, settings, write } = withClaudeCode()
    await init('--yes')
    const now = settings()
    write('account/.claude/settings.json', `${now}}`)
    const { stdout, code } = await init('--undo --yes')
    expect(stdout).toContain('not changed')
    expect(code).toBe(1)
    write('account/.claude/settings.json', now)
    await init('--undo --yes')
    expect(settings()).toBe(SETTINGS)
  })
})

/** A Codex that trusts a hook if its configuration has the hash. */
const CODEX = (node: string): string => `#!${node}
const { readFileSync, existsSync } = require('node:fs')
if (process.argv[2] === '--version') return console.log('codex-cli 0.169.0')
const folder = process.env.HOME + '/.codex/'
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (method === 'initialize') console.log(JSON.stringify({ id, result: { userAgent: 'x' } }))
  if (method !== 'hooks/list') return
  const config = existsSync(folder + 'config.toml') ? readFileSync(folder + 'config.toml', 'utf8') : ''
  const events = JSON.parse(readFileSync(folder + 'hooks.json', 'utf8')).hooks
  const hooks = Object.entries(events).map(([event, groups]) => {
    const key = folder + 'hooks.json:' + event + ':0:0'
    const isTrusted = config.includes('[hooks.state.' + JSON.stringify(key) + ']')
    return { key, command: groups[0].hooks[0].command, currentHash: 'sha256:' + event, trustStatus: isTrusted ? 'trusted' : 'untrusted' }
  })
  console.log(JSON.stringify({ id, result: { data: [{ cwd: process.cwd(), hooks, warnings: [], errors: [] }] } }))
})
`

describe('the trust that Codex needs', () => {
  const withCodex = () => {
    const one = account()
    one.write('bin/codex', CODEX(process.execPath), 0o755)
    one.write('account/.codex/config.toml', 'model = "gpt-6" # mine\n')
    return one
  }

  it('is explained step by step, and not written unless the person says so', async () => {
    const { init, read } = withCodex()
    const { stderr } = await init('--yes')
    expect(stderr).toContain('type `/hooks`')
    expect(stderr).toContain('--trust-hooks')
    expect(read('account/.codex/config.toml')).toBe('model = "gpt-6" # mine\n')
  })

  it('is written with --trust-hooks, checked, and taken back by undo', async () => {
    const { init, read } = withCodex()
    const { stderr } = await init('--yes --trust-hooks')
    expect(stderr).toContain('Codex: these hooks are now trusted')
    expect(read('account/.codex/config.toml')).toMatch(/^model = "gpt-6" # mine\n\n# countersign init: trust begin\n/)
    expect((await init('--yes')).stderr).toContain('Codex: these hooks are trusted\n')
    await init('--undo --yes')
    expect(read('account/.codex/config.toml')).toBe('model = "gpt-6" # mine\n')
  })

  it('is asked for after the settings, with its own answer', async () => {
    const { init, read } = withCodex()
    const { stdout, stderr } = await init('', 'yes\nyes\n')
    expect(stdout).toContain('trusted_hash = "sha256:PreToolUse"')
    expect(stderr).toContain('Codex: these hooks are now trusted')
    expect(read('account/.codex/config.toml')).toContain('trusted_hash')
  })
})

describe.runIf(process.platform === 'linux')('the service at login', () => {
  const withSystemd = () => {
    const one = withClaudeCode()
    mkdirSync(join(one.root, 'runtime/systemd'), { recursive: true })
    one.write(
      'bin/systemctl',
      `#!/bin/sh\necho "$@" >> ${join(one.root, 'systemctl')}\n[ ! -e ${join(one.root, 'broken')} ]\n`,
      0o755,
    )
    return { ...one, unit: join(one.root, 'account/.config/systemd/user/countersign.service') }
  }

  it('is written and started only after a yes, and removed by undo', async () => {
    const { init, unit, read, root } = withSystemd()
    expect((await init('--yes')).stderr).toContain('countersign init --service')
    expect(existsSync(unit)).toBe(false)
    expect((await init('--yes --service')).stderr).toContain('starts at every login (systemd)')
    expect(readFileSync(unit, 'utf8')).toMatch(
      new RegExp(`^ExecStart=.* "serve" "--home" "${join(root, 'home')}"$`, 'm'),
    )
    expect(read('systemctl')).toBe('--user daemon-reload\n--user enable --now countersign.service\n')
    const { stderr } = await init('--undo --yes')
    expect(stderr).toContain('the service no longer starts at login')
    expect(existsSync(unit)).toBe(false)
    expect(read('systemctl')).toContain('--user disable --now countersign.service\n--user daemon-reload\n')
  })

  it('is offered after the settings', async () => {
    const { init, unit } = withSystemd()
    await init('', 'yes\nno\n')
    expect(existsSync(unit)).toBe(false)
    await init('', 'yes\n')
    expect(existsSync(unit)).toBe(true)
  })

  it('is never written over a file of somebody else, and a failure names the way out', async () => {
    const { init, unit, write } = withSystemd()
    write('account/.config/systemd/user/countersign.service', '[Service]\n')
    expect((await init('--yes --service')).stderr).toContain('was not written by `countersign init`')
    expect(readFileSync(unit, 'utf8')).toBe('[Service]\n')
    writeFileSync(unit, '# Made by countersign init; countersign init --undo removes it.\n')
    write('broken', '')
    const { stderr, code } = await init('--yes --service')
    expect(stderr).toMatch(/failed \(exit 1\); check systemd.*\[CS_SERVICE\]/)
    expect(code).toBe(1)
  })
})

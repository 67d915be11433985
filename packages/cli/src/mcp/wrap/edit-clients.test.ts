import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadPolicyFile } from '@countersign/core'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

const TEXT = '{ "mcpServers": { "notes": { "command": "notes-server", "env": { "KEY": "k3y" } } } } // mine\n'

function withClient() {
  const folder = temporaryFolder()
  const [cwd, home] = [join(folder, 'project'), join(folder, 'home')]
  mkdirSync(cwd)
  mkdirSync(home, { mode: 0o700 })
  const write = (path: string, text: string): string => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    return file
  }
  const file = write('.cursor/mcp.json', TEXT)
  // The tests run from a clone, so wrapping needs the explicit flag.
  const run = (line: string, input?: string) => {
    const words = line.split(' ')
    const isClone = words[1] === 'wrap' && !words.includes('--launcher')
    return plain([...words, ...(isClone ? ['--allow-unstable-path'] : [])].join(' '), input)
  }
  const plain = (line: string, input?: string) =>
    runInProcess([...line.split(' '), '--account-home', folder], {
      cwd,
      home,
      ...(input === undefined ? {} : { columns: 100, input }),
    })
  return { folder, home, write, file, run, plain, text: () => readFileSync(file, 'utf8') }
}

describe('countersign mcp wrap', () => {
  it('shows the change without secrets, asks, and writes', async () => {
    const { run, text, home } = withClient()
    const answer = await run('mcp wrap cursor --launcher countersign', 'yes\n')
    expect(answer.stdout).toContain('notes: behind the gate as notes')
    expect(answer.stdout).toContain('"command": "countersign"')
    expect(answer.stdout).not.toContain('k3y')
    expect(`${answer.stdout}${answer.stderr}`).toContain('countersign mcp unwrap cursor')
    expect(text()).toBe(
      `{ "mcpServers": { "notes": { "command": "countersign", "args": ["mcp", "--name", "notes", "--home", ${JSON.stringify(home)}, "--", "notes-server"], "env": { "KEY": "k3y" } } } } // mine\n`,
    )
    expect((await run('mcp wrap cursor --yes')).stderr).toContain('nothing to wrap')
    expect((await run('mcp unwrap cursor --yes')).stdout).toContain('restored byte for byte')
    expect(text()).toBe(TEXT)
    expect((await run('mcp unwrap cursor --yes')).stderr).toContain('nothing to unwrap')
  })

  it('refuses to write the path of a clone, explains how to install, and still shows the change', async () => {
    const { plain, text } = withClient()
    const { stderr, code } = await plain('mcp wrap cursor --yes')
    expect(stderr).toMatch(
      /this Countersign runs from .*; install it with `npm install -g countersign`.*\[CS_CLIENT_CONFIG\]\n$/,
    )
    expect(code).toBe(125)
    expect(text()).toBe(TEXT)
    const shown = await plain('mcp wrap cursor --dry-run')
    expect(shown.code).toBe(0)
    expect(shown.stdout).toContain("so the path in a client's settings could stop working")
    expect((await plain('mcp wrap cursor --yes --allow-unstable-path')).code).toBe(0)
    expect((await plain('mcp unwrap cursor --yes')).stdout).toContain('restored byte for byte')
    expect(text()).toBe(TEXT)
  })

  it('writes the bare name into project files, also from a clone', async () => {
    const { plain, write, file } = withClient()
    rmSync(file)
    const project = write('project/.cursor/mcp.json', TEXT)
    expect((await plain('mcp wrap cursor --yes')).code).toBe(0)
    expect(readFileSync(project, 'utf8')).toContain('"command": "countersign"')
  })

  it('shows the rule that most people need next, and it is valid', async () => {
    const { run, home } = withClient()
    const { stderr } = await run('mcp wrap cursor --yes')
    const rule = stderr.slice(stderr.indexOf('  version: 1')).replaceAll(/^ {2}/gm, '')
    expect(rule).toContain('- server: ["notes"]\n    kind: read\n')
    expect(loadPolicyFile({ layer: 'user', name: 'x', text: rule }, { checkers: [] }).kind).not.toBe('refused')
    writeFileSync(join(home, 'policy.yaml'), 'version: 1\n', { mode: 0o600 })
    await run('mcp unwrap cursor --yes')
    expect((await run('mcp wrap cursor --yes')).stderr).toContain('under `rules:`')
  })

  it('reports that a server gets another name because its own is taken', async () => {
    const { run, write } = withClient()
    write('.gemini/settings.json', '{ "mcpServers": { "notes": { "command": "other" } } }')
    const { stdout } = await run('mcp wrap --all --yes')
    expect(stdout).toContain('notes: behind the gate as notes\n')
    expect(stdout).toContain('notes: behind the gate as notes-2 (`notes` is another server)')
  })

  it('mentions sign-in for an HTTP server, and only then', async () => {
    const { run, write, home } = withClient()
    const once = `if an HTTP server requires sign-in, run \`countersign mcp sign-in <url> --home ${home}\` once`
    expect((await run('mcp wrap cursor --yes')).stderr).not.toContain('sign-in')
    write('.gemini/settings.json', '{ "mcpServers": { "notes": { "httpUrl": "https://mcp.example/mcp" } } }')
    expect((await run('mcp wrap gemini --yes')).stderr).toContain(once)
  })

  it.each(['\n', 'y\n', ''])('writes nothing if the answer is %j', async (input) => {
    const { run, text } = withClient()
    expect(await run('mcp wrap cursor', input)).toMatchObject({
      stderr: expect.stringContaining('nothing was changed'),
      code: 1,
    })
    expect(text()).toBe(TEXT)
  })

  it('writes nothing without a terminal, or with --dry-run', async () => {
    const { run, text } = withClient()
    expect((await run('mcp wrap cursor')).stderr).toContain('[CS_NO_INTERFACE]')
    expect(await run('mcp wrap cursor --dry-run')).toMatchObject({
      stderr: expect.stringContaining('--dry-run'),
      code: 0,
    })
    expect((await run('mcp wrap --all --dry-run --json')).json()).toMatchObject([{ client: 'cursor', written: false }])
    expect(text()).toBe(TEXT)
  })

  it('continues with the others if one file cannot be read', async () => {
    const { run, text, write } = withClient()
    write('.claude.json', '{"mcpServers":')
    const answer = await run('mcp wrap --all --yes')
    expect(answer.stderr).toContain('[CS_CLIENT_CONFIG]')
    expect(answer.code).toBe(1)
    expect(text()).toContain('"--name"')
  })

  it('continues with the others if one file cannot be written, and reports which are done', async () => {
    const { run, write, file } = withClient()
    // A name so long that no longer one fits next to it.
    const real = write('n'.repeat(250), '{ "mcpServers": { "one": { "command": "one" } } }')
    rmSync(file)
    symlinkSync(real, file)
    const gemini = write('.gemini/settings.json', '{ "mcpServers": { "two": { "command": "two" } } }')
    const { stderr, code } = await run('mcp wrap --all --yes')
    expect(stderr).toContain('it cannot be written (ENAMETOOLONG)')
    expect(stderr).toContain(`wrapped \`${gemini}\`, not the rest; restart the client`)
    expect(code).toBe(1)
    expect(readFileSync(gemini, 'utf8')).toContain('"--name", "two"')
    expect(readFileSync(file, 'utf8')).toContain('"command": "one"')
    write('.gemini/settings.json', '{ "mcpServers": { "two": { "command": "two" } } }')
    expect((await run('mcp wrap --all --yes --json')).json()).toMatchObject([
      { client: 'cursor', written: false },
      { client: 'gemini', written: true },
    ])
  })

  it('skips a file whose record is damaged, and continues with the others', async () => {
    const { run, write, text, home } = withClient()
    await run('mcp wrap cursor --yes')
    const before = text()
    for (const name of readdirSync(join(home, 'mcp'))) writeFileSync(join(home, 'mcp', name), '{}')
    const gemini = write('.gemini/settings.json', '{ "mcpServers": { "two": { "command": "two" } } }')
    const { stderr, code } = await run('mcp wrap --all --yes')
    expect(stderr).toContain('is damaged; move it away [CS_CLIENT_CONFIG]')
    expect(code).toBe(1)
    expect(text()).toBe(before)
    expect(readFileSync(gemini, 'utf8')).toContain('"--name", "two"')
  })

  it('wraps a cloned project’s server that only imitates a gate, and reports it', async () => {
    const { run, write } = withClient()
    const servers = {
      shell: { command: 'sh', args: ['-c', 'exec evil-server', 'countersign', 'mcp', '--', 'x'] },
      local: { command: './countersign', args: ['mcp', '--url', 'http://evil.example/mcp'] },
      script: { command: 'tsx', args: ['src/entry.ts', 'mcp', '--url', 'http://h/'] },
    }
    const file = write('project/.mcp.json', JSON.stringify({ mcpServers: servers }))
    const { stdout } = await run('mcp wrap claude-code --yes')
    expect(stdout).not.toContain('already')
    for (const name of Object.keys(servers)) expect(stdout).toContain(`${name}: behind the gate as ${name}`)
    expect(stdout.match(/note: it looks like a gate, but it does not start this installation/g)).toHaveLength(2)
    expect(stdout).toContain('note: `countersign` is not on your `PATH`')
    await run('mcp unwrap claude-code --yes')
    expect(JSON.parse(readFileSync(file, 'utf8')).mcpServers).toEqual(servers)
  })

  it('writes the proxy’s flags into each entry, with the proxy’s own checks', async () => {
    const { run, text } = withClient()
    const flags = '--hold pending --hold-limit 50s --deny-method sampling/* --deny-method roots/list --elicit show'
    await run(`mcp wrap cursor --yes ${flags}`)
    const { args } = JSON.parse(text().replace('// mine', '')).mcpServers.notes
    expect(args.join(' ')).toContain(`${flags} -- notes-server`)
    for (const wrong of ['--hold never', '--hold-limit soon', '--elicit decide'])
      expect((await run(`mcp wrap cursor --yes ${wrong}`)).stderr).toContain('[CS_USAGE]')
    expect((await run('mcp wrap cursor --yes --elicit off')).stdout).toContain('with other flags')
  })

  it('removes a hand-made gate only if it is named', async () => {
    const { run, file, text } = withClient()
    const hand = '{ "mcpServers": { "a": { "command": "gate", "args": ["mcp", "--", "a"] } } }'
    writeFileSync(file, hand.replace('gate', 'countersign'))
    const { stdout, stderr } = await run('mcp unwrap cursor --yes')
    expect(stdout).toContain('a: unchanged: it looks like a gate, but `wrap` did not write it')
    expect(stderr).toContain('nothing to unwrap')
    expect(text()).toBe(hand.replace('gate', 'countersign'))
    writeFileSync(file, JSON.stringify({ mcpServers: { a: { command: process.argv[1], args: ['mcp', '--', 'a'] } } }))
    expect((await run('mcp unwrap cursor --yes')).stdout).toContain('name it with `--server`')
    await run('mcp unwrap cursor --yes --server a')
    expect(JSON.parse(text())).toEqual({ mcpServers: { a: { command: 'a', args: [] } } })
  })

  it('lists the known clients if one is unknown, absent or not named', async () => {
    const { run } = withClient()
    expect((await run('mcp wrap cursed')).stderr).toContain('known clients: claude-desktop')
    expect((await run('mcp wrap zed')).stderr).toContain('Zed has no configuration at')
    expect((await run('mcp wrap')).stderr).toContain('name a client or pass `--all`')
  })
})

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openCrypto, openHome } from '@countersign/node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { createCatalogue } from '../pins/create-catalogue.ts'
import { dependsOnFolder } from './folder-dependent-command.ts'
import { type ServerTarget, serverIdentity } from './server-identity.ts'

const READ = { name: 'read', description: 'Reads.', inputSchema: { type: 'object' } }

function place() {
  const top = temporaryFolder()
  const repos = ['a', 'b'].map((name) => join(top, name))
  for (const repo of repos) {
    mkdirSync(join(repo, 'node_modules', '.bin'), { recursive: true })
    writeFileSync(join(repo, 'server.mjs'), '')
    writeFileSync(join(repo, 'node_modules', '.bin', 'own-mcp'), '')
  }
  const [a = '', b = ''] = repos
  const home = openHome(join(top, 'home'))
  const crypto = openCrypto(home)
  const meet = async (address: ServerTarget, cwd: string | null) => {
    const server = serverIdentity(address, crypto, cwd)
    const catalogue = createCatalogue({ home, label: 'notes', server, crypto, now: () => 1, report: () => undefined })
    await catalogue.take({ tools: [READ] }, { cursor: null })
    return catalogue.find('read')
  }
  return { a, b, meet }
}

describe('a command that runs a program from its folder', () => {
  it('A20 is another server in another folder', async () => {
    const { a, b, meet } = place()
    const address = { command: ['node', 'server.mjs'] }
    expect((await meet(address, a)).kind).toBe('accepted')
    expect((await meet(address, a)).kind).toBe('accepted')
    const why = 'another server was accepted under this name'
    expect(await meet(address, b)).toMatchObject({ kind: 'quarantined', why })
  })

  it('needs a new acceptance, with the reason, if it was accepted without a folder', async () => {
    const { a, meet } = place()
    const address = { command: ['node', 'server.mjs'] }
    await meet(address, null)
    const why = expect.stringContaining('accepted without a folder')
    expect(await meet(address, a)).toMatchObject({ kind: 'quarantined', why })
  })

  it.each<[boolean, string, readonly string[]]>([
    [true, 'a file', ['my-runner', 'server.mjs']],
    [true, 'a file in a flag', ['/usr/bin/node', '--import=./server.mjs', '/opt/server.mjs']],
    [true, 'a path', ['./start']],
    [true, 'a script by name', ['npm', 'run', 'serve']],
    [true, 'a runner with a folder', ['node', '.']],
    [true, 'a package installed in the folder', ['npx', '-y', '@x/own-mcp@1.0.0']],
    [true, 'a module, with a path argument', ['python', '-m', 'server', '/srv/data']],
    [true, 'a script, with a URL argument', ['uv', 'run', 'server', '--api', 'https://a.example']],
    [true, 'a script, with an argument like a verb', ['npm', 'run', 'mcp', '--', 'tool']],
    [true, 'a package from a folder', ['uvx', '--from', '.', 'server']],
    [true, 'a package from a folder, in one word', ['uvx', '--from=./tools', 'server']],
    [true, 'a folder as a package', ['npx', './pkg']],
    [true, 'a package from a file', ['npx', '-y', '-p', 'file:pkg', 'server']],
    [true, 'a package runner’s command', ['npx', '-c', 'node server']],
    [true, 'a shell command', ['sh', '-c', '/usr/bin/node tools/start.mjs']],
    [true, 'a compound shell command', ['bash', '-lc', 'cd /opt/x && ./start']],
    [true, 'a module after a wrapper', ['env', 'A=b', '/usr/bin/python3', '-m', 'server']],
    [true, 'a module after two wrappers', ['nice', '-n', '5', 'timeout', '30s', 'python', '-m', 'server']],
    [true, 'a wrapper that changes the folder', ['env', '-C', 'tools', 'npx', 'tracker-mcp']],
    [true, 'a service from a compose file', ['docker', 'compose', 'run', 'server']],
    [true, 'a module after a wrapper’s flag', ['sudo', '-n', 'python', '-m', 'server']],
    [true, 'a module after `time`', ['time', '-p', 'python', '-m', 'server']],
    [true, 'a wrapper with an unknown flag', ['sudo', '--chdir=/opt', 'npx', 'tracker-mcp']],
    [true, 'a wrapper that sets PATH', ['env', 'PATH=bin', 'tracker-mcp']],
    [true, 'two shell commands', ['sh', '-c', 'npx -y tracker-mcp\npython -m server']],
    [true, 'a module started by another program', ['dotenv', '-e', 'x', '--', 'python', '-m', 'server']],
    [true, 'a program started by a package', ['npx', '-y', 'dotenv-cli', '--', 'node', '.']],
    [true, 'a module started by a version manager', ['mise', 'exec', '--', 'python', '-m', 'server']],
    [true, 'an installed package, by another verb', ['pnpm', 'exec', 'tracker-mcp']],
    [true, 'a target named like a verb', ['make', 'tool']],
    [true, 'a module, with a folder argument', ['python', '-m', 'server', '--dir', '/srv/data']],
    [true, 'a script, with a file argument', ['npm', 'run', 'mcp', '--', '-f', '/srv/conf']],
    [true, 'a script of a tool, with a folder argument', ['uv', 'run', 'server', '--directory', '/srv/data']],
    [true, 'a module in one word', ['python', '-mserver', '/srv/data']],
    [true, 'a preloaded module', ['node', '--import=hook', '/opt/server.mjs']],
    [
      true,
      'a module from the folder, in another project',
      ['uv', 'run', '--project', '/opt/x', 'python', '-m', 'server'],
    ],
    [true, 'a module in an environment', ['conda', 'run', '-p', '/opt/env', 'python', '-m', 'server']],
    [true, 'a program from a bundle', ['bundle', 'exec', 'server']],
    [true, 'a service from a compose file, by another name', ['docker-compose', 'run', 'server']],
    [true, 'a folder mounted in a container', ['docker', 'run', '-v', '.:/app', 'python:3', 'python', '-m', 'server']],
    [true, 'the folder itself as a package', ['npx', '.']],
    [true, 'a package from a folder, by another runner', ['pipx', 'run', '--spec', '.', 'server']],
    [true, 'a project’s script', ['pdm', 'run', 'server']],
    [true, 'a flake in the folder', ['nix', 'run', '.']],
    [false, 'a package, with a project argument', ['uvx', 'tracker-mcp', '--project', '.']],
    [false, 'a package with its own display', ['xvfb-run', '--auto-servernum', 'npx', '-y', 'tracker-mcp']],
    [false, 'a script by absolute path, through a tool', ['uv', 'run', 'python', '/opt/server.py']],
    [false, 'a project by absolute path', ['uv', 'run', '--project', '/opt/server', 'server']],
    [false, 'a script with an absolute prefix', ['npm', 'run', 'serve', '--prefix', '/opt/server']],
    [false, 'a program for a runtime, by absolute path', ['dotnet', '/opt/server.dll']],
    [false, 'an archive for a runtime, by absolute path', ['java', '-Xmx512m', '-jar', '/opt/server.jar']],
    [false, 'an image with variables', ['docker', 'run', '-i', '--rm', '-e', 'TOKEN', 'ghcr.io/x/tracker-mcp']],
    [false, 'an installed program with `--`', ['tracker-mcp', '--', 'stdio']],
    [false, 'a package after a wrapper', ['env', 'TOKEN=x', 'npx', '-y', 'tracker-mcp']],
    [false, 'a package in a shell command', ['sh', '-c', 'exec npx -y tracker-mcp']],
    [false, 'a package, with a folder argument', ['npx', '-y', '@scope/server-files', '.']],
    [false, 'a package with a runtime version', ['uvx', '--python', '3.12', 'mcp-server-git', '--repository', '.']],
    [false, 'an installed program after a wrapper', ['timeout', '60', 'github-mcp-server', 'stdio']],
    [false, 'a runner with an absolute folder', ['uv', '--directory', '/opt/server', 'run', 'server']],
    [false, 'a script by absolute path, after `run`', ['bun', 'run', '/opt/server.ts']],
    [false, 'a Deno package', ['deno', 'run', '-A', 'npm:tracker-mcp']],
    [false, 'a script by absolute path', ['node', '/opt/server.mjs']],
    [false, 'a package', ['npx', '-y', 'tracker-mcp']],
    [false, 'a package by another runner', ['pnpm', 'dlx', 'tracker-mcp']],
    [false, 'an image', ['docker', 'run', '-i', 'mcp/time']],
    [false, 'an installed program', ['github-mcp-server', 'stdio']],
  ])('depends on the folder: %s for %s', (expected, _what, command) => {
    expect(dependsOnFolder(command, place().a)).toBe(expected)
  })
})

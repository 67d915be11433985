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

describe('a command that names a program of its folder', () => {
  it('A20 is another server in another folder', async () => {
    const { a, b, meet } = place()
    const address = { command: ['node', 'server.mjs'] }
    expect((await meet(address, a)).kind).toBe('accepted')
    expect((await meet(address, a)).kind).toBe('accepted')
    const why = 'another server was accepted under this name'
    expect(await meet(address, b)).toMatchObject({ kind: 'quarantined', why })
  })

  it('is asked about once where it was accepted without a folder, and says why', async () => {
    const { a, meet } = place()
    const address = { command: ['node', 'server.mjs'] }
    await meet(address, null)
    const why = expect.stringContaining('accepted without a folder')
    expect(await meet(address, a)).toMatchObject({ kind: 'quarantined', why })
  })

  it.each<[boolean, string, readonly string[]]>([
    [true, 'a file', ['my-runner', 'server.mjs']],
    [true, 'a file behind a flag', ['/usr/bin/node', '--import=./server.mjs', '/opt/server.mjs']],
    [true, 'a path', ['./start']],
    [true, 'what a runner finds', ['npm', 'run', 'serve']],
    [true, 'a runner with a folder', ['node', '.']],
    [true, 'a package that the folder has', ['npx', '-y', '@x/own-mcp@1.0.0']],
    [true, 'what a runner finds, with a path for it', ['python', '-m', 'server', '/srv/data']],
    [true, 'what a runner finds, with an address for it', ['uv', 'run', 'server', '--api', 'https://a.example']],
    [true, 'what a runner finds, with a word like a verb', ['npm', 'run', 'mcp', '--', 'tool']],
    [true, 'a package at a place', ['uvx', '--from', '.', 'server']],
    [true, 'a package at a place, in one word', ['uvx', '--from=./tools', 'server']],
    [true, 'a folder as a package', ['npx', './pkg']],
    [true, 'a package of a file', ['npx', '-y', '-p', 'file:pkg', 'server']],
    [true, 'what a package runner is told to call', ['npx', '-c', 'node server']],
    [true, 'a line of a shell', ['sh', '-c', '/usr/bin/node tools/start.mjs']],
    [true, 'a line of a shell with more than words', ['bash', '-lc', 'cd /opt/x && ./start']],
    [true, 'a runner behind a wrapper', ['env', 'A=b', '/usr/bin/python3', '-m', 'server']],
    [true, 'a runner behind two', ['nice', '-n', '5', 'timeout', '30s', 'python', '-m', 'server']],
    [true, 'a folder that a wrapper changes', ['env', '-C', 'tools', 'npx', 'tracker-mcp']],
    [true, 'what a file of the folder composes', ['docker', 'compose', 'run', 'server']],
    [true, 'a runner behind a wrapper’s own flag', ['sudo', '-n', 'python', '-m', 'server']],
    [true, 'a runner behind a measured wrapper', ['time', '-p', 'python', '-m', 'server']],
    [true, 'a wrapper that does who knows what', ['sudo', '--chdir=/opt', 'npx', 'tracker-mcp']],
    [true, 'a wrapper that says where programs are', ['env', 'PATH=bin', 'tracker-mcp']],
    [true, 'two lines of a shell', ['sh', '-c', 'npx -y tracker-mcp\npython -m server']],
    [true, 'a runner that another program starts', ['dotenv', '-e', 'x', '--', 'python', '-m', 'server']],
    [true, 'a runner that a package starts', ['npx', '-y', 'dotenv-cli', '--', 'node', '.']],
    [true, 'a runner of a tool’s versions', ['mise', 'exec', '--', 'python', '-m', 'server']],
    [true, 'what the folder has, by another verb', ['pnpm', 'exec', 'tracker-mcp']],
    [true, 'a target with the name of a verb', ['make', 'tool']],
    [true, 'what a runner finds, with a folder for it', ['python', '-m', 'server', '--dir', '/srv/data']],
    [true, 'what a runner finds, with a file for it', ['npm', 'run', 'mcp', '--', '-f', '/srv/conf']],
    [true, 'what a tool finds, with a folder for it', ['uv', 'run', 'server', '--directory', '/srv/data']],
    [true, 'a module in one word', ['python', '-mserver', '/srv/data']],
    [true, 'a module that is loaded first', ['node', '--import=hook', '/opt/server.mjs']],
    [true, 'a module of the folder in another project', ['uv', 'run', '--project', '/opt/x', 'python', '-m', 'server']],
    [true, 'a module in an environment', ['conda', 'run', '-p', '/opt/env', 'python', '-m', 'server']],
    [true, 'what a bundle has', ['bundle', 'exec', 'server']],
    [true, 'what a file composes, by another name', ['docker-compose', 'run', 'server']],
    [true, 'a folder in a container', ['docker', 'run', '-v', '.:/app', 'python:3', 'python', '-m', 'server']],
    [true, 'a folder as a package of this one', ['npx', '.']],
    [true, 'a package at a place, by another runner', ['pipx', 'run', '--spec', '.', 'server']],
    [true, 'what a project runs', ['pdm', 'run', 'server']],
    [true, 'a flake of the folder', ['nix', 'run', '.']],
    [false, 'a package with a project for its server', ['uvx', 'tracker-mcp', '--project', '.']],
    [false, 'a package on a screen of its own', ['xvfb-run', '--auto-servernum', 'npx', '-y', 'tracker-mcp']],
    [false, 'a script of a runner of a tool', ['uv', 'run', 'python', '/opt/server.py']],
    [false, 'the project a tool goes by', ['uv', 'run', '--project', '/opt/server', 'server']],
    [false, 'the folder behind the script', ['npm', 'run', 'serve', '--prefix', '/opt/server']],
    [false, 'a program for a runtime', ['dotnet', '/opt/server.dll']],
    [false, 'an archive for a runtime', ['java', '-Xmx512m', '-jar', '/opt/server.jar']],
    [false, 'an image with variables', ['docker', 'run', '-i', '--rm', '-e', 'TOKEN', 'ghcr.io/x/tracker-mcp']],
    [false, 'an installed program with a mark', ['tracker-mcp', '--', 'stdio']],
    [false, 'a package behind a wrapper', ['env', 'TOKEN=x', 'npx', '-y', 'tracker-mcp']],
    [false, 'a package in a line of a shell', ['sh', '-c', 'exec npx -y tracker-mcp']],
    [false, 'a package with a folder for its server', ['npx', '-y', '@scope/server-files', '.']],
    [false, 'a package for a version', ['uvx', '--python', '3.12', 'mcp-server-git', '--repository', '.']],
    [false, 'an installed program behind a wrapper', ['timeout', '60', 'github-mcp-server', 'stdio']],
    [false, 'the folder a runner goes by', ['uv', '--directory', '/opt/server', 'run', 'server']],
    [false, 'a script behind run', ['bun', 'run', '/opt/server.ts']],
    [false, 'a package of Deno', ['deno', 'run', '-A', 'npm:tracker-mcp']],
    [false, 'an address of its own', ['node', '/opt/server.mjs']],
    [false, 'a package', ['npx', '-y', 'tracker-mcp']],
    [false, 'a package by another runner', ['pnpm', 'dlx', 'tracker-mcp']],
    [false, 'an image', ['docker', 'run', '-i', 'mcp/time']],
    [false, 'an installed program', ['github-mcp-server', 'stdio']],
  ])('is bound to it, or not: %s, %s', (expected, _what, command) => {
    expect(dependsOnFolder(command, place().a)).toBe(expected)
  })
})

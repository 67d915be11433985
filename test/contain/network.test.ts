import { execFileSync } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { containedWorld, describeContained, RUNNERS } from '@countersign/testing/contain/contained'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let server: Server
let port: number
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/left') {
      const dist = { tarball: `http://127.0.0.1:${port}/left.tgz`, shasum: '0'.repeat(40) }
      const version = { name: 'left', version: '1.2.3', dist }
      response.setHeader('content-type', 'application/json')
      return response.end(
        JSON.stringify({ name: 'left', 'dist-tags': { latest: '1.2.3' }, versions: { '1.2.3': version } }),
      )
    }
    if (request.url?.startsWith('/repo.git/info/refs') === true)
      return response.end(`${'a'.repeat(40)}\trefs/heads/main\n`)
    if (request.url === '/repo.git/HEAD') return response.end('ref: refs/heads/main\n')
    return response.end('hello\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

// The tests' server is on loopback, which programs would reach without the proxy: unset the exceptions.
const THROUGH = 'unset NO_PROXY no_proxy npm_config_noproxy;'

describeContained('the network', () => {
  describe.each(RUNNERS)('as %s', (runner) => {
    it('has only its own loopback where no host is named', async () => {
      const world = containedWorld(runner)
      const ended = await world.run(
        `curl -sS --max-time 5 http://127.0.0.1:${port}/; curl -sS --max-time 5 http://a.example/`,
      )
      expect(ended.exitCode).not.toBe(0)
      expect(ended.output).not.toContain('hello')
    })

    it('reaches a named host and no other', async () => {
      const world = containedWorld(runner)
      const bounds = { network: [`127.0.0.1:${port}`] }
      expect(await world.run(`${THROUGH} curl -sS http://127.0.0.1:${port}/`, { bounds })).toMatchObject({
        exitCode: 0,
        output: 'hello\n',
      })
      expect(await world.run(`${THROUGH} curl -sSp http://127.0.0.1:${port}/`, { bounds })).toMatchObject({
        output: 'hello\n',
      })
      const socks = `curl -sS --socks5-hostname "\${HTTP_PROXY#http://}" --noproxy '' http://127.0.0.1:${port}/`
      expect(await world.run(socks, { bounds })).toMatchObject({ output: 'hello\n' })
      const other = await world.run('curl -sSf https://other.example/', { bounds })
      expect(other.exitCode).not.toBe(0)
      expect(other.sandbox).toMatchObject({
        refused: expect.arrayContaining([
          {
            kind: 'host',
            what: 'other.example',
            certainty: 'strong',
            exception: { use: 'network', name: 'other.example' },
          },
        ]),
        line: expect.stringContaining('refused a connection to `other.example`'),
      })
    })

    it('cannot go around the proxy', async () => {
      const world = containedWorld(runner)
      const bounds = { network: [`127.0.0.1:${port}`] }
      const direct = await world.run(`curl -sS --noproxy '*' --max-time 5 http://127.0.0.1:${port}/`, { bounds })
      expect(direct.output).not.toContain('hello')
      const udp = await world.run('echo x > /dev/udp/9.9.9.9/53 && echo sent', { bounds })
      expect(udp.output).not.toContain('sent')
    })

    it('keeps exit codes and signals', async () => {
      const world = containedWorld(runner)
      const bounds = { network: ['a.example'] }
      expect((await world.run('exit 7', { bounds })).exitCode).toBe(7)
      expect((await world.run('kill -TERM $$', { bounds })).exitCode).toBe(143)
    })

    it.skipIf(!has('npm'))('works with npm', async () => {
      const world = containedWorld(runner)
      const bounds = { network: [`127.0.0.1:${port}`] }
      const ended = await world.run(`${THROUGH} npm view left version --registry http://127.0.0.1:${port}/`, { bounds })
      expect(ended).toMatchObject({ exitCode: 0, output: expect.stringContaining('1.2.3') })
    })

    it.skipIf(!has('git'))('works with git', async () => {
      const world = containedWorld(runner)
      const bounds = { network: [`127.0.0.1:${port}`] }
      const ended = await world.run(`${THROUGH} git ls-remote http://127.0.0.1:${port}/repo.git`, { bounds })
      expect(ended).toMatchObject({ exitCode: 0, output: expect.stringContaining('refs/heads/main') })
    })
  })
})

function has(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

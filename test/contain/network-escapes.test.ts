import { execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { chmodSync, closeSync, constants, mkdirSync, openSync, readSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { containedWorld, describeContained, RUNNERS } from '@countersign/testing/contain/contained'
import { describe, expect, it, onTestFinished } from 'vitest'

/** A server on this machine, and how many times it was reached. */
async function listen(
  where: { port: number; host: string } | string,
): Promise<{ server: Server; reached: () => number }> {
  let reached = 0
  const server = createServer((socket) => {
    reached += 1
    socket.end('reached')
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) =>
    typeof where === 'string' ? server.listen(where, resolve) : server.listen(where, resolve),
  )
  return { server, reached: () => reached }
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const perl = (code: string): string => `perl -MSocket -e '${code}'`

describeContained('escapes by the network', () => {
  describe.each(RUNNERS)('as %s', (runner) => {
    it('reaches no TCP port of this machine', async () => {
      const { server, reached } = await listen({ port: 0, host: '127.0.0.1' })
      const port = portOf(server)
      await containedWorld(runner).run(
        `exec 3<>/dev/tcp/127.0.0.1/${port}; exec 3<>/dev/tcp/localhost/${port}; curl -s -m 2 http://127.0.0.1:${port} http://[::1]:${port}; true`,
      )
      expect(reached()).toBe(0)
    })

    it('reaches no UDP port of this machine', async () => {
      const socket = createSocket('udp4')
      onTestFinished(() => void socket.close())
      let reached = 0
      socket.on('message', () => {
        reached += 1
      })
      await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
      await containedWorld(runner).run(
        `for i in 1 2 3; do echo x > /dev/udp/127.0.0.1/${socket.address().port}; done; true`,
      )
      // The kernel delivers datagrams of the loopback at once: one of our own arrives after all of theirs.
      const own = createSocket('udp4')
      onTestFinished(() => void own.close())
      const arrived = new Promise<void>((resolve) => socket.once('message', () => resolve()))
      own.send('own', socket.address().port, '127.0.0.1')
      await arrived
      expect(reached).toBe(1)
    })

    it.each(['127.0.0.53', '8.8.8.8', '1.1.1.1', '169.254.169.254', '10.0.0.1'])('has no route to %s', async (host) => {
      const ended = await containedWorld(runner).run(
        `timeout 3 bash -c 'exec 3<>/dev/tcp/${host}/53 && echo connected'; ip route 2>/dev/null; true`,
      )
      expect(ended.output).not.toContain('connected')
      expect(ended.output).not.toContain('default')
    })

    it('resolves no names', async () => {
      const ended = await containedWorld(runner).run('getent hosts example.com && echo resolved; true')
      expect(ended.output).not.toContain('resolved')
    })

    it.each([
      ['raw', 'socket(S, AF_INET, SOCK_RAW, 1) and print "open"'],
      ['packet', 'socket(S, 17, SOCK_RAW, 768) and print "open"'],
      ['vsock', 'socket(S, 40, SOCK_STREAM, 0) and print "open"'],
      ['kernel crypto', 'socket(S, 38, 5, 0) and print "open"'],
      ['bluetooth', 'socket(S, 31, SOCK_RAW, 1) and print "open"'],
    ])('opens no %s socket', async (_, code) => {
      expect((await containedWorld(runner).run(perl(code))).output).not.toContain('open')
    })

    it('reaches no Unix socket outside the workspace', async () => {
      const world = containedWorld(runner)
      const path = join(world.root, 'agent.sock')
      const { reached } = await listen(path)
      const connect = (to: string): string =>
        perl(`socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, sockaddr_un("${to}")) and print "reached"`)
      const ended = await world.run(
        `${connect(path)}; ln -s ${path} here; ${connect('here')}; ${connect('/run/docker.sock')}; ${connect('/var/run/dbus/system_bus_socket')}; true`,
      )
      expect(ended.output).not.toContain('reached')
      expect(reached()).toBe(0)
    })

    it('reaches no Unix socket or named pipe of another program in the workspace', async () => {
      const world = containedWorld(runner)
      mkdirSync(join(world.workspace, 'run'))
      const path = join(world.workspace, 'run/service.sock')
      const { reached } = await listen(path)
      chmodSync(path, 0o777)
      const pipe = join(world.workspace, 'run/commands')
      execFileSync('mkfifo', ['-m', '666', pipe])
      const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
      onTestFinished(() => closeSync(reader))
      const attack = `perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, sockaddr_un("run/service.sock")) && print "reached"'; echo evil > run/commands`
      for (const workspace of ['write', 'read'] as const)
        expect((await world.run(attack, { bounds: { workspace } })).output).not.toContain('reached')
      expect(reached()).toBe(0)
      expect(readSync(reader, Buffer.alloc(16))).toBe(0)
    })

    it('reaches no abstract Unix socket', async () => {
      const name = `countersign-${process.pid}-${runner.length}`
      const { reached } = await listen(`\0${name}`)
      await containedWorld(runner).run(
        perl(`socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, pack("S a*", AF_UNIX, "\\0${name}")) and print "reached"`),
      )
      expect(reached()).toBe(0)
    })

    it('has a loopback of its own, where test servers work', async () => {
      const code =
        'socket(S, AF_INET, SOCK_STREAM, 0); bind(S, sockaddr_in(0, INADDR_LOOPBACK)); listen(S, 1); my ($p) = sockaddr_in(getsockname(S)); socket(C, AF_INET, SOCK_STREAM, 0); print connect(C, sockaddr_in($p, INADDR_LOOPBACK)) ? "works" : "fails $!"'
      expect((await containedWorld(runner).run(perl(code))).output).toBe('works')
    })
  })
})

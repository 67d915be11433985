import { describe, expect, it } from 'vitest'
import { findRefusals, reportLine, silentRefusal } from './sandbox-report.ts'

const surroundings = {
  cwd: '/proj',
  written: ['/proj'],
  guarded: ['/proj/.git/hooks'],
  home: '/home/ann',
  visible: ['/proj', '/usr', '/etc', '/tmp'],
}

describe('signs of the sandbox in output', () => {
  it.each([
    ["touch: cannot touch '/etc/x': Read-only file system", 'write', '/etc/x', 'strong'],
    ['/bin/bash: line 1: /etc/x: Read-only file system', 'write', '/etc/x', 'strong'],
    ["Error: EROFS: read-only file system, open '/etc/x'", 'write', '/etc/x', 'strong'],
    ["OSError: [Errno 30] Read-only file system: '/usr/lib/x'", 'write', '/usr/lib/x', 'strong'],
    ["mv: cannot move '.git' to 'x': Device or resource busy", 'write', '/proj/.git', 'strong'],
    ['sh: 1: cannot create .git/hooks/x: Read-only file system', 'write', '/proj/.git/hooks/x', 'strong'],
    ['curl: (6) Could not resolve host: example.com', 'host', 'example.com', 'medium'],
    ['npm error getaddrinfo EAI_AGAIN registry.npmjs.org', 'host', 'registry.npmjs.org', 'medium'],
    ['ssh: Could not resolve hostname github.com: Temporary failure', 'host', 'github.com', 'medium'],
    ["fatal: unable to access 'https://h.example/': Could not resolve host: h.example", 'host', 'h.example', 'medium'],
    ['Error: connect ECONNREFUSED 127.0.0.1:5432', 'host', '127.0.0.1:5432', 'medium'],
    ['psql: error: connection to server at "localhost" (::1), port 5432 failed: x', 'host', 'localhost', 'medium'],
    ['ConnectionRefusedError: [Errno 111] Connection refused', 'host', 'localhost', 'medium'],
    ['cat: /home/ann/.ssh/id: No such file or directory', 'read', '/home/ann/.ssh/id', 'medium'],
    ['cat: /srv/shared/a: No such file or directory', 'read', '/srv/shared/a', 'medium'],
    ['x.sh: line 2: /tmp/other/a: No such file or directory', 'read', '/tmp/other/a', 'medium'],
    ['ls: cannot access /dev/kvm: No such file or directory', 'device', '/dev/kvm', 'medium'],
    ['chown: changing ownership of ‘/proj/a’: Operation not permitted', 'write', '/proj/a', 'weak'],
  ] as const)('%s', (line, kind, what, certainty) => {
    expect(findRefusals(`before\n${line}\nafter`, surroundings)).toEqual([{ kind, what, certainty }])
  })

  it('finds none in everyday failures', () => {
    const output =
      'AssertionError: 1 != 2\ncat: src/x: No such file or directory\nmake: *** [all] Error 1\nTypeError: x\n' +
      'cat: /tmp/x: No such file or directory\ncat: /usr/lib/x: No such file or directory\nspawn foo ENOENT'
    expect(findRefusals(output, surroundings)).toEqual([])
  })

  it.each([
    ['curl -s http://localhost:3000/health', '', 'localhost:3000'],
    ['curl -s 127.0.0.1:8080 | grep ok', '\n', '127.0.0.1:8080'],
    ['curl -s http://[::1]:80/', '', '[::1]:80'],
    ['curl -s http://localhost:3000/', 'some output', undefined],
    ['test -f a.localhost.txt', '', undefined],
    ['grep -q x 1127.0.0.11', '', undefined],
  ])('takes silence for a sign if a server of this machine is named: %s', (command, output, host) => {
    expect(silentRefusal(command, output).map(({ what }) => what)).toEqual(host === undefined ? [] : [host])
  })

  it('is bounded', () => {
    const output = Array.from({ length: 100 }, (_, at) => `cat: /etc/${at}: Read-only file system`).join('\n')
    expect(findRefusals(output, surroundings)).toHaveLength(8)
  })

  it('tells the agent the surest finding in one line, and nothing that is only a guess', () => {
    const report = { restored: [], stopped: null }
    const weak = { kind: 'write', what: '/a', certainty: 'weak' } as const
    expect(reportLine({ ...report, refused: [weak] })).toBeNull()
    const host = { kind: 'host', what: 'a\u202eb', certainty: 'strong' } as const
    const line = reportLine({ ...report, refused: [weak, host] })
    expect(line).toContain('refused a connection to')
    expect(line).not.toContain('\u202e')
  })
})

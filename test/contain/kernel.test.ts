import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { containedWorld, describeContained, RUNNERS } from '@countersign/testing/contain/contained'
import { describe, expect, it } from 'vitest'

/** System calls by their numbers on x64 and arm64, with arguments that would work without a filter or fail otherwise. */
const CALLS: readonly (readonly [name: string, x64: number, arm64: number, args: string])[] = [
  ['ptrace', 101, 117, '0, 0, 0, 0'],
  ['process_vm_readv', 310, 270, '1, 0, 0, 0, 0, 0'],
  ['io_uring_setup', 425, 425, '1, 0'],
  ['bpf', 321, 280, '0, 0, 0'],
  ['perf_event_open', 298, 241, '0, 0, 0, 0, 0'],
  ['userfaultfd', 323, 282, '1'],
  ['add_key', 248, 217, '0, 0, 0, 0, 0'],
  ['keyctl', 250, 219, '0, -3, 0'],
  ['mount', 165, 40, '0, 0, 0, 0, 0'],
  ['umount2', 166, 39, '0, 0'],
  ['open_tree', 428, 428, '-100, 0, 0'],
  ['unshare', 272, 97, '0x10000000'],
  ['setns', 308, 268, '0, 0'],
  ['open_by_handle_at', 304, 265, '0, 0, 0'],
  ['kexec_load', 246, 104, '0, 0, 0, 0'],
  ['pidfd_getfd', 438, 438, '0, 0, 0'],
]

describeContained('the kernel', () => {
  describe.each(RUNNERS)('as %s', (runner) => {
    it.each(CALLS)('refuses %s', async (_, x64, arm64, args) => {
      const number = process.arch === 'arm64' ? arm64 : x64
      const ended = await containedWorld(runner).run(`perl -e '$r = syscall(${number}, ${args}); print "$r ", $!+0'`)
      expect(ended.output).toBe('-1 1')
    })

    it('refuses clone with a user namespace, and has no clone3', async () => {
      const [clone, clone3] = process.arch === 'arm64' ? [220, 435] : [56, 435]
      const ended = await containedWorld(runner).run(
        `perl -e '$r = syscall(${clone}, 0x10000011, 0, 0, 0, 0); print $r, " ", $!+0, " "; $r = syscall(${clone3}, 0, 0); print $r, " ", $!+0'`,
      )
      expect(ended.output).toBe('-1 1 -1 38')
    })

    it('takes up no disk at once', async () => {
      const fallocate = process.arch === 'arm64' ? 47 : 285
      const ended = await containedWorld(runner).run(
        `perl -e 'open F, ">", "big"; $r = syscall(${fallocate}, fileno(F), 0, 0, 1 << 20); print "$r ", $!+0'`,
      )
      expect(ended.output).toBe('-1 95')
    })

    it('makes no namespaces and mounts', async () => {
      const ended = await containedWorld(runner).run(
        'unshare -Ur true && echo made; unshare -m true && echo made; mount -t tmpfs x /tmp && echo made; umount /proc && echo made; mount --bind / /tmp && echo made; mount -o remount,rw / && echo made; mount -o remount,rw /usr && echo made; chroot / true && echo made; true',
      )
      expect(ended.output).not.toContain('made')
    })

    it('changes no settings of the kernel', async () => {
      const before = readFileSync('/proc/sys/kernel/core_pattern', 'utf8')
      const ended = await containedWorld(runner).run(
        'for f in /proc/sys/kernel/core_pattern /proc/sys/kernel/hostname /proc/sys/vm/drop_caches /proc/sysrq-trigger /proc/self/oom_score_adj /proc/sys/kernel/pid_max; do echo 1 > $f && echo wrote $f; done; true',
      )
      expect(ended.output).not.toContain('wrote')
      expect(readFileSync('/proc/sys/kernel/core_pattern', 'utf8')).toBe(before)
    })

    it('sees no devices, and makes none', async () => {
      const ended = await containedWorld(runner).run(
        'ls /dev; ls /sys 2>&1; mknod disk b 8 0 && cat disk && echo made; mknod mem c 1 1 && echo made; head -c1 /dev/mem /proc/kcore /dev/kmsg && echo read; true',
      )
      expect(ended.output).not.toMatch(/made|read\n|\b(?:sda|vda|nvme|kvm|fuse|kmsg)\b\n/)
      expect(ended.output).toContain("'/sys': No such file")
    })

    it('gains nothing from set-uid programs', async () => {
      const world = containedWorld(runner)
      const ended = await world.run(
        'grep NoNewPrivs /proc/self/status; grep CapBnd /proc/self/status; cp /bin/sh mine; chmod u+s mine; ./mine -p -c "id -u; grep CapEff /proc/self/status"; su -c true 2>&1; sudo -n true 2>&1; true',
      )
      expect(ended.output).toMatch(/NoNewPrivs:\s1\n/)
      expect(ended.output).toMatch(/CapBnd:\s0{16}\n/)
      expect(ended.output).toMatch(/CapEff:\s0{16}\n/)
    })

    it('has no terminal, and types into none', async () => {
      const ended = await containedWorld(runner).run(
        `tty; : > /dev/tty && echo opened; perl -e 'for (0,1,2) { open F, "<&=$_"; $c = "x"; print ioctl(F, 0x5412, $c) ? "typed" : "refused ".($!+0), "\\n" }'`,
      )
      expect(ended.output).not.toMatch(/opened|typed/)
      expect(ended.output).toContain('refused 1\n')
    })

    it('cannot write outside its folders in memory', async () => {
      const ended = await containedWorld(runner).run(
        'for d in / /dev /proc /usr /etc /bin /lib; do : > $d/x && echo wrote $d; done; for d in /tmp /dev/shm /var/tmp ~; do : > $d/x || echo refused $d; done; true',
      )
      expect(ended.output).not.toMatch(/^wrote|^refused/m)
    })
  })

  it('runs nothing when the sandbox cannot start', async () => {
    const world = containedWorld()
    writeFileSync(join(world.workspace, '.npmrc'), 'x')
    const ended = await world.run('touch ran', { cwd: world.root })
    expect(ended).toMatchObject({
      how: 'not-started',
      exitCode: 125,
      sandbox: { refused: [{ kind: 'start', certainty: 'strong' }] },
    })
    expect(existsSync(join(world.workspace, 'ran'))).toBe(false)
    expect(ended.sandbox.line).toContain('did not run')
  })
})

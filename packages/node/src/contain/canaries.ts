import { shellQuote } from '@countersign/core'

/** One attempt to get out of the sandbox. */
export interface Canary {
  readonly name: string
  /** What the sandbox keeps a command from, for people: `write files outside the workspace`. */
  readonly keepsFrom: string
  /** A shell script that succeeds if the attempt does. */
  readonly script: string
  /** A file that exists afterwards only if it did: the sandbox has folders of the same names as the machine. */
  readonly leaves?: string
}

/** What the attempts are made on. */
export interface CanaryTargets {
  /** A file that does not exist, in a folder outside the workspace that this account may write. */
  readonly outside: string
  readonly gate: string
  readonly home: string
  /** A variable of this process, `NAME=value`. */
  readonly variable: string
  /** A port of this machine where something listens. */
  readonly port: number
}

/** Every attempt. Where they succeed they leave nothing behind outside the temporary workspace. */
export function canaries({ outside, gate, home, variable, port }: CanaryTargets): readonly Canary[] {
  return [
    {
      name: 'write',
      keepsFrom: 'write files outside the workspace',
      script: `: > ${shellQuote(outside)}`,
      leaves: outside,
    },
    {
      name: 'system',
      keepsFrom: 'change the system',
      script:
        'for f in /etc /usr ""; do if : > $f/countersign-canary; then rm -f $f/countersign-canary; exit 0; fi; done; exit 1',
    },
    {
      name: 'kernel',
      keepsFrom: 'change kernel settings',
      script: 'v=$(cat /proc/sys/kernel/core_pattern) && printf %s "$v" > /proc/sys/kernel/core_pattern',
    },
    { name: 'gate', keepsFrom: 'see the gate’s files', script: `test -e ${shellQuote(gate)}` },
    {
      name: 'credentials',
      keepsFrom: 'see credentials in your home folder',
      script: ['.ssh', '.aws', '.gnupg', '.netrc', '.countersign', '.claude']
        .map((name) => `test -e ${shellQuote(`${home}/${name}`)}`)
        .join(' || '),
    },
    { name: 'passwords', keepsFrom: 'read the password file', script: 'grep -q : /etc/shadow' },
    {
      name: 'processes',
      keepsFrom: 'see other processes',
      script: 'read -r first < /proc/1/comm; test "$first" != bwrap',
    },
    {
      name: 'environment',
      keepsFrom: 'read the gate’s environment variables',
      script: `grep -qsF ${shellQuote(variable)} /proc/[0-9]*/environ`,
    },
    {
      name: 'network',
      keepsFrom: 'reach the network',
      script: `tail -n +3 /proc/net/dev | grep -qv '^ *lo:' || (exec 3<>/dev/tcp/127.0.0.1/${port})`,
    },
    {
      name: 'powers',
      keepsFrom: 'gain root privileges',
      script: "! grep -q '^CapEff:.*\\b0*$' /proc/self/status || ! grep -q '^NoNewPrivs:.*1$' /proc/self/status",
    },
    { name: 'calls', keepsFrom: 'use dangerous system calls', script: "! grep -q '^Seccomp:.*2$' /proc/self/status" },
    { name: 'namespaces', keepsFrom: 'create namespaces', script: 'unshare --user true' },
    {
      name: 'devices',
      keepsFrom: 'see devices',
      script: 'test -e /sys/kernel || ls /dev | grep -qE "^(sd|vd|nvme|mem$|kmsg$|fuse$|kvm$)"',
    },
    {
      name: 'hooks',
      keepsFrom: 'plant git hooks',
      script: ': > .git/hooks/pre-commit || echo x >> .git/config || mv .git moved',
    },
    { name: 'terminal', keepsFrom: 'reach a terminal', script: ': > /dev/tty' },
  ]
}

/** One script for all attempts; it prints `held name` or `escaped name` for each. */
export function canaryScript(all: readonly Canary[]): string {
  const lines = all.map(
    ({ name, script }) => `if ( ${script} ) >/dev/null 2>&1; then echo escaped ${name}; else echo held ${name}; fi`,
  )
  // What must work, so that a sandbox in which nothing works is not taken for a tight one.
  return [...lines, 'echo x > made && test -s made && echo y > /tmp/made && cat made /tmp/made && echo worked'].join(
    '\n',
  )
}

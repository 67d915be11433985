import { describe, expect, it } from 'vitest'
import { look, type Project } from '../fixture.mts'

const kubeconfig = (exec: string) => `apiVersion: v1\nkind: Config\nusers:\n- name: a\n  user:\n${exec}`
const PLUGIN = kubeconfig('    exec:\n      command: sh\n      args: [-c, rm -rf ~]\n')
const compose = (service: string) => `services:\n  web:\n    image: nginx\n${service}`

describe('a kubeconfig file', () => {
  it.each<[string, string]>([
    ['kubectl --kubeconfig kc get pods', PLUGIN],
    ['kubectl --kubeconfig=kc get pods', PLUGIN],
    ['helm --kubeconfig kc list', PLUGIN],
    ['KUBECONFIG=kc kubectl get pods', PLUGIN],
    ['KUBECONFIG=other:kc kubectl get pods', PLUGIN],
    ['kubectl get pods --kubeconfig kc', kubeconfig('    exec: {command: rm, args: [-rf, "~"]}\n')],
    ['kubectl --kubeconfig kc get pods', '{"users": [{"user": {"exec": {"command": "rm", "args": ["-rf", "~"]}}}]}'],
    [
      'kubectl --kubeconfig kc get pods',
      kubeconfig('    auth-provider:\n      config:\n        cmd-path: rm\n        cmd-args: -rf ~\n'),
    ],
    ['kubectl --kubeconfig kc get pods', `x: &x {command: rm, args: [-rf, "~"]}\n${kubeconfig('    exec: *x\n')}`],
  ])('is rated by the programs that it runs: %s', async (command, text) => {
    const { risk } = await look(command, { kc: text })
    expect(risk.level).toBe('critical')
    expect(risk.reasons[0]?.text).toMatch(/^kc:\d+ `/)
  })

  it.each([
    ['kubectl --kubeconfig kc get pods', kubeconfig('    token: x\n')],
    ['kubectl --kubeconfig kc get pods', kubeconfig('    exec: {command: gke-gcloud-auth-plugin}\n')],
    ['kubectl --kubeconfig ~/.kube/staging get pods', ''],
    ['kubectl --kubeconfig /etc/rancher/k3s/k3s.yaml get pods', ''],
    ['kubectl get pods', PLUGIN],
  ])('keeps the level if it runs nothing: %s', async (command, text) => {
    expect((await look(command, { kc: text })).risk.level).toBe('none')
  })

  it.each([
    'kubectl --kubeconfig /tmp/x get pods',
    'kubectl --kubeconfig ../x get pods',
    'kubectl --kubeconfig "$X" get pods',
    'kubectl --kubeconfig ~/.kube/../x get pods',
    'kubectl --kubeconfig link get pods',
  ])('that can’t be read is at least medium: %s', async (command) => {
    const { risk } = await look(command, { link: { leads: '/tmp/x' } })
    expect(risk.level).toBe('medium')
    expect(risk.parts[0]?.proven).toBeUndefined()
  })

  it('that is invalid is opaque', async () => {
    expect((await look('kubectl --kubeconfig kc get pods', { kc: '{' })).opaque[0]).toMatch(/not valid/)
  })
})

describe('a Compose file', () => {
  it.each<[string, string]>([
    ['privileged', '    privileged: true\n'],
    ['a mount of the host', '    volumes: ["/:/host"]\n'],
    ['a mount in the long form', '    volumes:\n      - {type: bind, source: /etc, target: /x}\n'],
    ['the socket of the engine', '    volumes: ["/var/run/docker.sock:/var/run/docker.sock"]\n'],
    ['a default of a variable', '    volumes: ["${ROOT:-/}:/host"]\n'],
    ['processes', '    pid: host\n'],
    ['a disk', '    devices: [/dev/sda]\n'],
    ['a capability', '    cap_add: [SYS_ADMIN]\n'],
    ['no confinement', '    security_opt: ["seccomp:unconfined"]\n'],
    [
      'a volume on the host',
      '    volumes: ["a:/a"]\nvolumes:\n  a:\n    driver_opts: {type: none, o: bind, device: /}\n',
    ],
  ])('is rated by the power over the host that it gives: %s', async (_, service) => {
    for (const command of [
      'docker compose up -d',
      'docker-compose -f compose.yaml run web',
      'cd src && docker compose up',
    ]) {
      const { risk } = await look(command, { 'compose.yaml': compose(service), 'src/a': '' })
      expect(['high', 'critical']).toContain(risk.level)
      expect(risk.reasons[0]?.text).toMatch(/^compose\.yaml:\d+ `/)
    }
  })

  it.each([
    ['docker compose up -d', compose('    ports: ["80:80"]\n    volumes: ["./data:/data", "db:/db"]\n'), 'low'],
    ['docker compose up', compose('    security_opt: ["no-new-privileges:true"]\n    network_mode: bridge\n'), 'low'],
    ['docker compose ps', compose('    privileged: true\n'), 'none'],
    ['docker compose logs web', compose('    privileged: true\n'), 'none'],
    ['docker compose up', compose('    privileged: false\n'), 'low'],
    ['docker ps', compose('    privileged: true\n'), 'none'],
  ])('keeps the level without such power: %s', async (command, text, level) => {
    expect((await look(command, { 'docker-compose.yml': text })).risk.level).toBe(level)
  })

  it.each<[string, Project]>([
    ['docker compose -f /tmp/c.yaml up', {}],
    ['docker compose -f - up', {}],
    ['docker compose up', { 'compose.yaml': { leads: '/tmp/c.yaml' } }],
    ['docker compose up', { 'compose.yaml': compose(''), '.env': 'COMPOSE_FILE=/tmp/c.yaml\n' }],
    ['docker compose up', { 'compose.yaml': compose('    provider: {type: x}\n') }],
  ])('that can’t be read is at least medium: %s', async (command, project) => {
    expect((await look(command, project)).risk.level).toBe('medium')
  })
})

describe('commands in settings', () => {
  it.each<[string, Project]>([
    ['cdk synth', { 'cdk.json': '{\n"app": "rm -rf ~"}' }],
    ['npx cdk diff', { 'cdk.json': '{"app": "node x.js",\n"build": "rm -rf ~"}' }],
    ['nodemon', { 'nodemon.json': '{\n"exec": "rm -rf ~"}' }],
    ['nodemon --config n.json', { 'n.json': '{"events":\n{"start": "rm -rf ~"}}' }],
    ['lefthook run pre-commit', { 'lefthook.yml': 'pre-commit:\n  commands:\n    a:\n      run: rm -rf ~\n' }],
    [
      'pre-commit run',
      { '.pre-commit-config.yaml': 'repos:\n- repo: local\n  hooks:\n  - id: a\n    entry: rm -rf ~\n' },
    ],
    ['overmind start', { Procfile: 'web: node x.js\nother: rm -rf ~\n' }],
  ])('are rated as commands: %s', async (command, project) => {
    const { risk } = await look(command, project)
    expect(risk.level).toBe('critical')
    expect(risk.reasons[0]?.text).toMatch(/:\d+ `rm -rf/)
  })

  it('that are harmless keep the level', async () => {
    const { risk } = await look('cdk synth', { 'cdk.json': '{"app": "echo ok"}' })
    expect(risk.level).toBe('none')
    expect((await look('cdk doctor', { 'cdk.json': '{"app": "rm -rf ~"}' })).risk.level).not.toBe('critical')
  })
})

describe('commands in options', () => {
  it.each([
    "fzf --preview 'rm -rf ~'",
    "fzf --bind 'enter:execute(rm -rf ~)+abort'",
    "fzf --bind=ctrl-x:reload:'rm -rf ~'",
    "strace -o '|rm -rf ~' ls",
    "strace -o'!rm -rf ~' ls",
    "strace --output='|rm -rf ~' ls",
  ])('are rated as commands: %s', async (command) => {
    expect((await look(command, {})).risk.level).toBe('critical')
  })

  it.each([
    'fzf',
    "fzf --preview 'cat {}'",
    "fzf --bind 'ctrl-a:select-all'",
    'strace -f -o out.txt ls',
    "strace -e trace=open grep '|x' a",
  ])('that run nothing harmful keep the level: %s', async (command) => {
    expect((await look(command, {})).risk.level).toBe('low')
  })
})

describe('a file of commands', () => {
  it.each<[string, Project]>([
    ['gdb -x g ./a', { g: 'break main\nshell rm -rf ~\n' }],
    ['gdb -batch --command=g ./a', { g: 'source h\n', h: '!rm -rf ~\n' }],
    ["gdb -batch -ex 'source h'", { h: 'python import os; os.system("rm -rf ~")\n' }],
    ['gdb ./a', { '.gdbinit': 'shell rm -rf ~\n' }],
    ['lldb -s g', { g: 'platform shell rm -rf ~\n' }],
    ['tmux -f t new', { t: 'set -g mouse on\nrun-shell "rm -rf ~"\n' }],
    ['screen -c s', { s: 'exec rm -rf ~\n' }],
  ])('is rated by the commands in it: %s', async (command, project) => {
    const { risk } = await look(command, project)
    expect(risk.level).toBe('critical')
    expect(risk.reasons[0]?.text).toMatch(/^[.\w]+:\d+ `/)
  })

  it.each<[string, Project]>([
    ['gdb -x g', { g: 'python\nx()\nend\n' }],
    ['gdb -x g.py', { 'g.py': 'x()\n' }],
    ['gdb -x /tmp/g', {}],
    ['tmux -f /tmp/t new', {}],
  ])('that can’t be read is at least medium: %s', async (command, project) => {
    expect((await look(command, project)).risk.level).toBe('medium')
  })

  it('that only shows something keeps the level', async () => {
    expect((await look('gdb -x g', { g: 'break main\nrun\nbt\nprint x\n' })).risk.level).toBe('low')
    expect((await look('tmux -f t new', { t: 'set -g mouse on\n# run-shell x\n' })).risk.level).toBe('low')
  })
})

describe('infrastructure', () => {
  const play = (task: string, hosts = 'localhost') => `- hosts: ${hosts}\n  tasks:\n    - ${task}\n`

  it.each<[string, Project]>([
    ['terraform plan', { 'main.tf': 'data "external" "x" {\n  program = ["sh", "-c", "rm -rf ~"]\n}\n' }],
    ['tofu apply', { 'a.tf': 'resource "x" "y" {\n provisioner "local-exec" {\n  command = "rm -rf ~"\n }\n}\n' }],
    ['terraform apply', { 'a.tf': 'provisioner "local-exec" {\n command = <<EOT\nrm -rf ~\nEOT\n}\n' }],
    [
      'terraform -chdir=in plan',
      {
        'in/a.tf': 'module "m" {\n source = "../m"\n}\n',
        'm/b.tf': 'data "external" "x" {\n program = ["rm", "-rf", "~"]\n}\n',
      },
    ],
    ['terraform plan', { 'a.tf': 'provider "k" {\n exec {\n  command = "rm"\n  args = ["-rf", "~"]\n }\n}\n' }],
    ['ansible-playbook site.yml', { 'site.yml': play('shell: rm -rf ~') }],
    ['ansible-playbook --check site.yml', { 'site.yml': play('{command: {cmd: rm -rf ~}, check_mode: false}') }],
    ['ansible-playbook -C site.yml', { 'site.yml': play(`debug: {msg: "{{ lookup('pipe', 'rm -rf ~') }}"}`, 'all') }],
    ['ansible all -i hosts -m ping', { hosts: '#!/bin/sh\nrm -rf ~\n' }],
    ['ansible all -m ping', { 'ansible.cfg': '[defaults]\ninventory = inv\n', inv: '#!/bin/sh\nrm -rf ~\n' }],
  ])('is rated by the commands that it runs on this machine: %s', async (command, project) => {
    const { risk } = await look(command, project)
    expect(risk.level).toBe('critical')
    expect(risk.reasons[0]?.text).toMatch(/^[\w./]+:\d+ `rm -rf|^[\w./]+:\d+ `rm/)
  })

  it.each<[string, Project]>([
    ['terraform plan', { 'main.tf': '# data "external" "x" { program = ["rm"] }\nresource "a" "b" {\n}\n' }],
    ['terraform plan', { 'a.tf': 'provisioner "local-exec" {\n command = "rm -rf ~"\n}\n' }],
    ['terraform validate', { 'a.tf': 'data "external" "x" {\n program = ["rm", "-rf", "~"]\n}\n' }],
    ['ansible-playbook --check site.yml', { 'site.yml': play('shell: rm -rf ~') }],
    ['ansible all -i hosts -m ping', { hosts: '[web]\na.example\n' }],
    ['sed s/a/b/ x', {}],
  ])('keeps the level if it runs nothing: %s', async (command, project) => {
    expect((await look(command, project)).risk.level).toBe('none')
  })

  it('outside the workspace, or computed, is at least medium', async () => {
    expect((await look('terraform -chdir=/tmp/x plan', {})).risk.level).toBe('medium')
    const computed = { 'a.tf': 'data "external" "x" {\n program = local.words\n}\n' }
    expect((await look('terraform plan', computed)).risk.level).toBe('medium')
  })

  it('runs the program of a Pulumi project, which is opaque', async () => {
    expect((await look('pulumi preview', {})).opaque).toEqual(['pulumi runs the program of the project'])
  })
})

describe('a sed script', () => {
  it.each(['sed -f s a', 'sed -nf s a', 'sed --file=s a'])(
    'is rated as if it were given with -e: %s',
    async (command) => {
      expect((await look(command, { s: '1e rm -rf ~\n' })).risk.level).toBe('high')
      expect((await look(command, { s: 's/a/b/\n' })).risk.level).toBe('low')
    },
  )
})

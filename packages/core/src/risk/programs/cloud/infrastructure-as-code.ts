import { hasOption, lastValue, readArgs } from '../../arguments/argument-parser.ts'
import { targetNamed } from '../../arguments/displayable-name.ts'
import { wordSet } from '../../arguments/word-set.ts'
import { finding } from '../../report/finding.ts'
import type { Assess } from '../assessor/assessor.ts'
import { isProduction } from '../assessor/production-target.ts'
import { byRows } from '../assessor/verb-table.ts'

const READS = 'only reads'

/** `terraform`, `tofu`, `terragrunt`. */
export const assessTerraform = byRows({
  family: 'infrastructure',
  oneDash: true,
  valued:
    '-var -var-file -target -replace -out -state -state-out -backup -backend-config -parallelism -lock-timeout ' +
    '--terragrunt-config --terragrunt-working-dir --working-dir --config --queue-include-dir --queue-exclude-dir ' +
    '--terragrunt-include-dir --terragrunt-iam-role --log-level',
  rows: [
    [
      'none',
      'yes',
      READS,
      'validate, show, output, version, providers, providers schema, graph, state list, state show, state pull, ' +
        'workspace list, workspace show, console, metadata, plan, help, run-all plan, run-all validate, run-all output, ' +
        'hclvalidate, render-json, render, output-module-groups, graph-dependencies, info, find, list, dag, dag graph, ' +
        'stack output, run plan, run validate, run output, test, modules',
    ],
    [
      'low',
      'yes',
      'prepares the folder',
      'init, get, fmt, hclfmt, hcl fmt, workspace select, workspace new, providers lock, providers mirror, run-all init, scaffold, catalog, stack generate, run init',
    ],
    ['medium', 'yes', 'changes its own settings', 'login, logout, workspace, backend bootstrap'],
    [
      'high',
      'partly',
      'changes infrastructure',
      'apply, run-all apply, run apply, apply-all, stack run apply, refresh, cloud, backend migrate',
    ],
    [
      'high',
      'partly',
      'changes the record of what exists',
      'import, taint, untaint, state, state rm, state mv, state replace-provider, state push, force-unlock',
    ],
    ['high', 'no', 'deletes a workspace or its record', 'workspace delete, backend delete'],
    [
      'critical',
      'no',
      'destroys infrastructure',
      'destroy, run-all destroy, destroy-all, run destroy, stack run destroy',
      'all',
    ],
  ],
  flags: [
    {
      verbs: 'apply, run-all apply, run apply',
      flags: '-destroy --destroy',
      level: 'critical',
      back: 'no',
      says: 'destroys infrastructure',
      reach: 'all',
    },
    { verbs: 'plan, run-all plan', flags: '-out --out', level: 'low', back: 'yes', says: 'writes a plan' },
    {
      verbs: 'destroy',
      flags: '-target --target',
      level: 'critical',
      back: 'no',
      says: 'destroys a part of the infrastructure',
      reach: 'one',
    },
    {
      verbs: 'fmt, hclfmt',
      flags: '-check --check -diff',
      level: 'none',
      back: 'yes',
      says: 'only checks how files are laid out',
    },
  ],
  otherwise: 'high',
  names: '-target --target',
})

/** `pulumi`. */
export const assessPulumi = byRows({
  family: 'infrastructure',
  valued: '-s --stack -C --cwd -t --target -c --config -m --message --color -p --parallel -f --file --urn --profile',
  rows: [
    [
      'none',
      'yes',
      READS,
      'preview, pre, whoami, version, about, stack, stack ls, stack output, stack export, stack graph, stack history, history, logs, config, config get, plugin ls, policy ls, org get-default, schema, package info, console, env ls, env get, help, watch --dry',
    ],
    [
      'low',
      'yes',
      'prepares the folder',
      'stack select, stack init, install, new, gen-completion, plugin install, convert, stack tag, package add, package gen-sdk',
    ],
    [
      'medium',
      'yes',
      'changes its own settings',
      'login, logout, config set, config set-all, config rm, config cp, config refresh, config env, stack rename, stack unselect, env set, env init, plugin rm',
    ],
    [
      'high',
      'partly',
      'changes infrastructure',
      'up, update, refresh, import, watch, cancel, env edit, deployment run, policy publish, policy enable, package publish',
    ],
    [
      'high',
      'partly',
      'changes the record of what exists',
      'state, state delete, state rename, state move, stack import, state unprotect, stack change-secrets-provider',
    ],
    ['critical', 'no', 'destroys infrastructure', 'destroy, down, dn, stack rm, env rm', 'all'],
  ],
  flags: [
    {
      verbs: 'stack output, config, config get, stack export',
      flags: '--show-secrets',
      level: 'high',
      back: 'no',
      says: 'prints secrets',
    },
  ],
  otherwise: 'high',
})

/** `cdk`, `cdktf`, `sst`. */
export const assessCdk = byRows({
  family: 'infrastructure',
  valued:
    '-a --app -c --context --profile --stack -o --output -r --role-arn --region --stage --require-approval --parameters --toolkit-stack-name --outputs-file --method',
  rows: [
    [
      'none',
      'yes',
      READS,
      'diff, list, ls, synth, synthesize, doctor, docs, doc, metadata, notices, version, acknowledge, ack, context, output, drift, flags',
    ],
    [
      'low',
      'yes',
      'prepares or runs the project here',
      'init, get, convert, debug, provider, dev, shell, migrate, install, types',
    ],
    [
      'high',
      'partly',
      'changes infrastructure',
      'deploy, bootstrap, import, watch, rollback, refactor, gc, apply, state, secret, refresh, unlock',
    ],
    ['critical', 'no', 'destroys infrastructure', 'destroy, remove', 'all'],
  ],
  flags: [{ verbs: 'deploy', flags: '--no-execute', level: 'medium', back: 'yes', says: 'only prepares a change' }],
  otherwise: 'high',
})

/** `packer`, `nomad`, `consul`, `boundary`, `waypoint`. */
export const assessHashi = byRows({
  family: 'infrastructure',
  shape: 'compound',
  oneDash: true,
  valued: '-var -var-file -address -namespace -region -only -except -token -http-addr -datacenter -job -task -ca-cert',
  rows: [
    [
      'none',
      'yes',
      READS,
      'validate, inspect, fmt, version, status, job status, node status, alloc status, alloc logs, plan, job plan, job inspect, job history, members, catalog, info, kv get, monitor, operator raft list-peers, ui, console, server members, logs, acl policy list, job validate, deployment list, deployment status, config read, config list, intention list, services, var list',
    ],
    [
      'low',
      'yes',
      'prepares or runs something here',
      'init, hcl2_upgrade, plugins install, job init, agent, agent -dev, server, login',
    ],
    ['medium', 'partly', 'makes an image', 'build'],
    [
      'high',
      'partly',
      'changes what runs or is stored',
      'run, job run, job revert, job promote, job scale, job restart, deployment promote, alloc restart, alloc exec, kv put, kv import, intention create, services register, config write, reload, exec, deploy, node eligibility, var put, operator',
    ],
    [
      'high',
      'no',
      'takes away what runs or is stored',
      'stop, job stop, alloc stop, kv delete, services deregister, intention delete, config delete, leave, force-leave, node drain, system gc, namespace delete, volume delete, var purge, acl token delete, acl bootstrap',
    ],
    [
      'critical',
      'no',
      'takes everything down',
      'destroy, job purge, operator raft remove-peer, snapshot restore, operator snapshot restore',
      'all',
    ],
  ],
  otherwise: 'high',
})

/** `vagrant`, `multipass`: machines on this one. */
export const assessVagrant = byRows({
  family: 'infrastructure',
  valued: '-c --command --provider --name --provision-with -n --cpus -m --memory -d --disk',
  rows: [
    [
      'none',
      'yes',
      READS,
      'status, global-status, version, port, ssh-config, validate, box list, plugin list, snapshot list, list, info, get, find, networks, help, outdated, box outdated, aliases',
    ],
    [
      'low',
      'yes',
      'starts or stops a machine inside this one',
      'up, halt, suspend, resume, reload, ssh, init, provision, rsync, rdp, launch, start, stop, restart, shell, exec, mount, umount, snapshot save, snapshot push',
    ],
    [
      'medium',
      'partly',
      'changes machines inside this one',
      'box add, box update, box remove, plugin install, plugin, package, snapshot, transfer, set, upload, share, box prune, snapshot restore, snapshot delete, snapshot pop, login, recover, clone',
    ],
    ['high', 'no', 'deletes a machine inside this one', 'destroy, delete, purge'],
    ['high', 'no', 'publishes', 'cloud, cloud publish, push'],
  ],
  otherwise: 'medium',
})

const PLAYBOOK_VALUED = {
  valued: wordSet(
    '-i --inventory -l --limit -e --extra-vars -t --tags --skip-tags -u --user -f --forks -m --module-name -a --args --private-key --vault-password-file --vault-id --start-at-task -c --connection -T --timeout -M --module-path --become-user --become-method',
  ),
  flags: new Set<string>(),
}
const CHECKS = new Set(['--check', '-C', '--syntax-check', '--list-hosts', '--list-tasks', '--list-tags'])
const MODULE = new Set(['-m', '--module-name'])
const LOOKS = wordSet(
  'ping ansible.builtin.ping setup ansible.builtin.setup debug ansible.builtin.debug stat ansible.builtin.stat gather_facts win_ping assert',
)

/** `ansible` and `ansible-playbook`: they change other machines, unless they only check or look. */
export const assessAnsible: Assess = ({ part, program }) => {
  const reading = readArgs(part, PLAYBOOK_VALUED)
  if (hasOption(reading, CHECKS))
    return finding('none', 'infrastructure.dry-run', `${program} only shows what it would do`)
  const [first] = reading.words
  if (first === undefined) return finding('none', 'infrastructure.bare', `${program} is given nothing to do`)
  const module = lastValue(reading, MODULE)
  if (program === 'ansible' && typeof module === 'string' && LOOKS.has(module))
    return finding('none', 'infrastructure.read', `${program} only looks at other machines`)
  const hosts = program === 'ansible' ? first.value : (lastValue(reading, new Set(['-l', '--limit'])) ?? null)
  const all = hosts === null || hosts === 'all' || hosts === '*'
  const where = typeof hosts === 'string' && isProduction(hosts) ? ', in production' : ''
  return finding('high', 'infrastructure.machines', `${program} changes other machines${where}`, 'partly', {
    reach: all ? 'all' : 'several',
    ...targetNamed(hosts),
  })
}

/** `ansible-vault`, `ansible-galaxy`, `sops`, `ansible-inventory`. */
export const assessAnsibleTools = byRows({
  family: 'infrastructure',
  valued: '-i --inventory -r -p --vault-password-file --vault-id --role-file --host -n --name --output',
  rows: [
    ['none', 'yes', READS, 'list, info, search, role list, collection list, collection verify, --list, --graph'],
    [
      'low',
      'yes',
      'fetches or prepares roles',
      'install, role install, collection install, collection download, init, role init, collection init, collection build, remove, role remove',
    ],
    [
      'medium',
      'partly',
      'changes an encrypted file',
      'create, edit, encrypt, encrypt_string, rekey, updatekeys, rotate, set, unset',
    ],
    ['high', 'no', 'shows what is kept secret', 'view, decrypt, exec-env, exec-file'],
    ['high', 'no', 'publishes', 'publish, collection publish, role import, import, role delete'],
  ],
  otherwise: 'none',
})

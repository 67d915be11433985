// Made from the YAML beside it by `node scripts/embed-presets.ts`. Do not edit.
import type { PresetName } from '../preset-name.ts'

/** The presets, as their files say. */
export const PRESET_TEXTS: Readonly<Record<PresetName, string>> = {
  paranoid: `# Nothing changes without a person, and nothing critical happens at all.
version: 1
rows:
  none: notify
  low: confirm
  medium: confirm
  high: manual
  critical: deny
  undescribed: manual
  ignores_declarations: false
rules:
  - id: paranoid.credentials
    any:
      - path:
          inside:
            - ~/.ssh
            - ~/.gnupg
            - ~/.aws
            - ~/.azure
            - ~/.kube
            - ~/.docker
            - ~/.config/gcloud
            - ~/.config/gh
            - ~/.netrc
            - ~/.npmrc
            - ~/.pypirc
            - ~/.git-credentials
            - ~/.password-store
            - ~/.local/share/keyrings
      - path:
          glob: ["**/.env", "**/.env.*", "**/*.pem", "**/*.key", "**/*.p12", "**/id_{rsa,dsa,ecdsa,ed25519}"]
          except: ["**/.env.{example,sample,template}"]
    supervision: deny
    reason: credentials are not for agents under this preset

  - id: paranoid.outside
    kind: [write, delete, move]
    path: { outside: ["\${workspace}", "\${temp}"] }
    supervision: manual
    floor: true
    reason: it changes something outside the workspace

  - id: paranoid.sends
    kind: send
    supervision: manual
    floor: true
    reason: what is sent cannot be taken back
tests:
  - call: { tool: read_file, args: { path: src/index.ts } }
    expect: { supervision: notify, risk: none }
  - call: { tool: write_file, args: { path: src/index.ts, content: x } }
    expect: { supervision: confirm }
  - call: { tool: read_file, args: { path: ~/.ssh/id_ed25519 } }
    expect: { supervision: deny, rule: paranoid.credentials }
  - call: { tool: read_file, args: { path: .env } }
    expect: { supervision: deny, rule: paranoid.credentials }
  - call: { tool: read_file, args: { path: .env.example } }
    expect: { supervision: notify }
  - call: { tool: execute_command, args: { command: git status } }
    expect: { supervision: notify }
  - call: { tool: execute_command, args: { command: "git status; rm -rf ~" } }
    expect: { supervision: deny, risk: critical }
  - name: a tool nobody described
    call: { tool: frobnicate, args: {} }
    expect: { supervision: manual }
`,
  balanced: `# The default: reading runs, changing asks.
version: 1
rows:
  none: automatic
  low: automatic
  medium: confirm
  high: confirm
  critical: manual
  undescribed: confirm
  ignores_declarations: false
tests:
  - call: { tool: read_file, args: { path: src/index.ts } }
    expect: { supervision: automatic, risk: none }
  - call: { tool: execute_command, args: { command: git status } }
    expect: { supervision: automatic }
  - call: { tool: write_file, args: { path: src/index.ts, content: x } }
    expect: { supervision: confirm }
  - name: a safe start does not carry a dangerous end
    call: { tool: execute_command, args: { command: "git status; rm -rf ~" } }
    expect: { supervision: manual, risk: critical }
  - name: a tool nobody described
    call: { tool: frobnicate, args: {} }
    expect: { supervision: confirm }
  - name: get does not make a read of get_and_delete_all
    call: { tool: get_and_delete_all, args: {} }
    expect: { supervision: confirm }
  - name: a server's tool asks, whatever it says about itself
    call: { tool: read_everything, server: notes, args: {}, annotations: { readOnlyHint: true } }
    expect: { supervision: confirm }
`,
  permissive: `# Everyday changes run with a notice; what is high or critical asks.
version: 1
rows:
  none: automatic
  low: automatic
  medium: notify
  high: confirm
  critical: manual
  undescribed: confirm
  ignores_declarations: false
tests:
  - call: { tool: read_file, args: { path: src/index.ts } }
    expect: { supervision: automatic }
  - call: { tool: execute_command, args: { command: "git status; rm -rf ~" } }
    expect: { supervision: manual, risk: critical }
  - name: a tool nobody described
    call: { tool: frobnicate, args: {} }
    expect: { supervision: confirm }
`,
  'read-only': `# Looking is free, everything else is refused.
version: 1
rows:
  none: automatic
  low: deny
  medium: deny
  high: deny
  critical: deny
  undescribed: deny
  ignores_declarations: false
rules:
  # The row could be answered by a rule of the person; these denies could not.
  - id: read-only.changes
    kind: [write, delete, move, send]
    supervision: deny
    reason: the preset read-only refuses everything that changes something

  - id: read-only.commands
    kind: execute
    risk: { at_least: low }
    supervision: deny
    reason: the preset read-only runs only commands that read

  - id: read-only.requests
    url: { method: [POST, PUT, PATCH, DELETE] }
    supervision: deny
    reason: the preset read-only fetches and does not send
tests:
  - call: { tool: read_file, args: { path: src/index.ts } }
    expect: { supervision: automatic }
  - call: { tool: execute_command, args: { command: git status } }
    expect: { supervision: automatic }
  - call: { tool: write_file, args: { path: src/index.ts, content: x } }
    expect: { supervision: deny, rule: read-only.changes }
  - name: a redirection is a write
    call: { tool: execute_command, args: { command: echo x > notes.txt } }
    expect: { supervision: deny }
  - call: { tool: execute_command, args: { command: npm install } }
    expect: { supervision: deny }
  - name: a tool nobody described
    call: { tool: frobnicate, args: {} }
    expect: { supervision: deny }
`,
  classic: `# Nothing is held and all is recorded. Only what protects the gate itself, and your own rules, still hold.
version: 1
rows:
  none: automatic
  low: automatic
  medium: automatic
  high: automatic
  critical: automatic
  undescribed: automatic
  ignores_declarations: true
tests:
  - call: { tool: write_file, args: { path: src/index.ts, content: x } }
    expect: { supervision: automatic }
  - call: { tool: execute_command, args: { command: "git status; rm -rf ~" } }
    expect: { supervision: automatic, risk: critical }
  - name: a tool nobody described
    call: { tool: frobnicate, args: {} }
    expect: { supervision: automatic }
  - name: a server's tool
    call: { tool: read_everything, server: notes, args: {} }
    expect: { supervision: automatic }
`,
}

/** What protects the gate itself. */
export const BUILTIN_TEXT = `# What protects the gate itself: in force under every preset, and nothing loosens it.
version: 1
rules:
  - id: gate-files
    kind: [write, delete, move]
    path: { inside: "\${gate}" }
    supervision: deny
    reason: policy, store and keys of the gate are changed by people, not through the gate

  # Everything else in there is keys and store, and every look at it is rated high. A policy may be read.
  - id: gate-secrets
    path: { inside: "\${gate}" }
    unless: { path: { inside: ["\${gate}/policy.yaml", "\${gate}/policy.d"] } }
    risk: { at_least: high }
    supervision: deny
    reason: keys and store of the gate are not for agents

  # Whoever asks can never approve. Reading (held, journal, policy, grants list) stays free.
  - id: self-approval
    command: { program: countersign, verb: [approve, reject, trust, approvers] }
    supervision: deny
    reason: decisions are made by people in their own terminal or inbox
tests:
  - name: a policy file is not written through the gate
    call: { tool: write_file, args: { path: "\${gate}/policy.yaml", content: "version: 1" } }
    expect: { supervision: deny }
  - name: a shell does not write it either
    call: { tool: execute_command, args: { command: 'echo "preset: classic" > \${gate}/policy.yaml' } }
    expect: { supervision: deny }
  - name: an agent does not approve
    call: { tool: execute_command, args: { command: countersign approve 3f2a } }
    expect: { supervision: deny }
  - name: not behind another command either
    call: { tool: execute_command, args: { command: ls && countersign approve 3f2a } }
    expect: { supervision: deny }
  - name: nor with options before the word
    call: { tool: execute_command, args: { command: countersign --json --home /tmp/x approve 3f2a } }
    expect: { supervision: deny }
  - name: nor by the file of the program
    call: { tool: execute_command, args: { command: node --no-warnings packages/cli/bin/countersign.js approve 3f2a } }
    expect: { supervision: deny }
  - name: nor through a package runner
    call: { tool: execute_command, args: { command: npx -y countersign@latest reject 3f2a } }
    expect: { supervision: deny }
  - name: nor where it is installed
    call: { tool: execute_command, args: { command: ./node_modules/.bin/countersign reject 3f2a } }
    expect: { supervision: deny }
  - name: nor does it trust a project
    call: { tool: execute_command, args: { command: countersign trust } }
    expect: { supervision: deny }
  - name: a key is not read
    call: { tool: read_file, args: { path: "\${gate}/keys/approver.key" } }
    expect: { supervision: deny }
`

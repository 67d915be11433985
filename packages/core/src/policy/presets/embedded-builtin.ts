// Made from the YAML beside it by `node scripts/embed-presets.ts`. Do not edit.

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

  # Accepting a server's tools, trusting it, taking it out of the gate, and starting one: clients and people do that.
  - id: gated-servers
    command: { program: countersign, verb: mcp }
    supervision: deny
    reason: servers are accepted, wrapped and unwrapped by people in their own terminal

  # What \`countersign undo\` puts back can itself be undone.
  - id: undo-keeps-a-copy
    tool: undo
    kind: [write, delete]
    supervision: notify
    floor: true
    checks: [backup]
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
  - name: nor does it accept the tools of a server
    call: { tool: execute_command, args: { command: countersign mcp accept notes } }
    expect: { supervision: deny }
  - name: nor does it take servers out of the gate
    call: { tool: execute_command, args: { command: npx countersign mcp unwrap --all --yes } }
    expect: { supervision: deny }
  - name: nor does it sign in to one
    call: { tool: execute_command, args: { command: countersign mcp sign-in https://mcp.example/mcp } }
    expect: { supervision: deny }
  - name: nor does it run a command as a server
    call: { tool: execute_command, args: { command: countersign mcp -- rm -rf build } }
    expect: { supervision: deny }
  - name: a key is not read
    call: { tool: read_file, args: { path: "\${gate}/keys/approver.key" } }
    expect: { supervision: deny }
`

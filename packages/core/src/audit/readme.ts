/** `README.txt` of every bundle. */
export const README = `This is an export of a Countersign journal, signed by the gate that wrote it.

Check it on any machine:

    npx countersign journal verify --bundle <this archive> --key <fingerprint>

Get the fingerprint of the gate's key from its owner by another way than this archive came.

calls.csv          one row per call: what was asked, the risk, who decided, how it ended
decisions.csv      one row per decision of a person
entries.jsonl      the journal entries, byte for byte as they were hashed
tree.jsonl         hashes of all other entries, and entries about approvers' keys and gates
checkpoints.jsonl  the checkpoints of the journal, signed by the gate
gates.jsonl        where machines share the journal: every version of the list of their gates
keys.json          public keys of the gate and of the approvers
policies/          the policy versions in force, each named by its hash
manifest.json      length and SHA-256 of each file
manifest.sig       the gate's signature of the manifest

Secrets were redacted before they were written to the journal. Cells of the tables that a spreadsheet
would run as a formula begin with an apostrophe.
`

import { describe, expect, it } from 'vitest'
import { eachIsRated } from '../level-rows.mts'
import { rowOf } from '../rate-program.ts'

describe('virtual machines, Windows and servers', () => {
  eachIsRated(
    'none',
    `virsh list --all
    vboxmanage showvminfo dev
    VBoxManage list vms
    incus list
    qm status 100
    esxcli vm process list
    ipmitool -H bmc -U admin chassis power status
    reg query HKLM
    schtasks /query
    vssadmin list shadows
    bcdedit
    net user
    icacls file.txt
    wsl --list --verbose
    hdiutil info
    nginx -t
    caddy validate --config Caddyfile
    promtool check rules a.yml
    nodetool status
    ldapsearch -x -b dc=example
    getcap ./app`,
  )
  eachIsRated(
    'medium',
    `virsh shutdown web
    vboxmanage clonevm dev --name copy
    lxc launch ubuntu:24.04 c1
    wsl --shutdown
    hdiutil attach a.dmg
    amtool silence add alertname=x
    taskkill /im node.exe`,
  )
  eachIsRated(
    'high',
    `virsh destroy web
    vboxmanage snapshot dev restore first
    incus delete c1
    qm stop 100
    esxcli vm process kill -w 1
    ipmitool sel clear
    reg add HKCU /v a
    schtasks /create /tn x /tr y
    net user bob x /add
    net stop mssqlserver
    icacls c /grant Everyone:F /t
    takeown /f c /r
    cipher /w:c
    nginx -s stop
    patronictl failover
    ldapdelete cn=x`,
  )
  eachIsRated(
    'critical',
    `virsh undefine web --remove-all-storage
    pct destroy 101
    ipmitool power off
    wsl --unregister Ubuntu
    vssadmin delete shadows /all
    bcdedit /set x y
    diskpart /s a.txt
    wmic shadowcopy delete
    lxc storage delete pool
    ceph osd pool delete p
    wsl rm -rf /
    pct exec 101 -- rm -rf /`,
  )

  it('are recognised with a cross-compilation prefix too', () => {
    expect(rowOf('arm-none-eabi-objdump')).toBe(rowOf('objdump'))
    expect(rowOf('riscv64-unknown-elf-gcc')).toBe(rowOf('gcc'))
    expect(rowOf('arm-none-eabi-other')).toBeUndefined()
  })
})

describe('specialist programs', () => {
  eachIsRated(
    'none',
    `adb devices
    esptool.py chip_id
    arduino-cli board list
    dbt ls
    airflow dags list
    squeue
    dvc status
    xcrun simctl list
    xcrun notarytool history`,
  )
  eachIsRated(
    'low',
    `idf.py build
    west build -b x
    pio run -e esp32
    dbt build
    dvc repro
    xcrun simctl boot x
    fastlane ios tests`,
  )
  eachIsRated(
    'medium',
    `adb install a.apk
    west flash
    arduino-cli upload -p x
    sbatch a.sh
    dvc push
    xcrun simctl erase all`,
  )
  eachIsRated(
    'high',
    `adb root
    idf.py erase-flash
    dvc gc -w
    airflow connections export x
    dbt run --full-refresh
    fastlane ios release
    fastlane android deploy`,
  )
  eachIsRated(
    'critical',
    `fastboot flash boot boot.img
    airflow db reset
    hdfs dfs -rm -r -skipTrash /x
    adb shell rm -rf /`,
  )
})

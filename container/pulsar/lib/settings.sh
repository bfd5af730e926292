# What the broker of this container takes for a setting, from where it looks itself; to be sourced, with home set. MILLRACE PULSAR DEFAULT.
setting() {
  local own=MILLRACE_SETTING_$1 prefixed=PULSAR_PREFIX_$2 file=$home/conf/standalone.conf value
  value=${!own:-${!prefixed:-${!2:-}}}
  [[ -n $value || ! -r $file ]] || value=$(sed -n "s/^[[:blank:]]*$2[[:blank:]]*[=:][[:blank:]]*//p" "$file" | tail -n 1)
  value=${value//[[:space:]]/}
  echo "${value:-$3}"
}

# The address by which this container reaches its broker.
local_address() {
  local address
  address=$(setting BIND_ADDRESS bindAddress 127.0.0.1)
  [[ $address != 0.0.0.0 && $address != *:* ]] || address=127.0.0.1
  echo "$address"
}

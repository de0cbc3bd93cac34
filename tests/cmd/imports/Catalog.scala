  def catalog = s"""{
       |"table":{"namespace":"default", "name":"calls", "tableCoder":"Phoenix"},
       |"rowkey":"user:n:city",
       |"columns":{
         |"user":{"cf":"rowkey", "col":"user", "type":"string"},
         |"n":{"cf":"rowkey", "col":"n", "type":"int"},
         |"city":{"cf":"rowkey", "col":"city", "type":"string"},
         |"seconds":{"cf":"f", "col":"s", "type":"string"}
       |}
     |}""".stripMargin
